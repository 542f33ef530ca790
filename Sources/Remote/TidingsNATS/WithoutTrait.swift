// Without the trait, the names of this product say what is missing.
#if !NATS
@available(*, unavailable, message: "TidingsNATS needs the trait NATS: .package(…, traits: [\"NATS\"])")
public enum NATSTransport {
  public init(_ server: String) { fatalError() }
}
#endif
