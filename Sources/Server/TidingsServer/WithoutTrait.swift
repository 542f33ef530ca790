// Without the trait, the names of this product say what is missing.
#if !Server
@available(*, unavailable, message: "TidingsServer needs the trait Server: .package(…, traits: [\"Server\"])")
public enum TidingsExporter {
  public init(logger: Any) { fatalError() }
}
@available(*, unavailable, message: "TidingsServer needs the trait Server: .package(…, traits: [\"Server\"])")
public func carryServiceContext() { fatalError() }
#endif
