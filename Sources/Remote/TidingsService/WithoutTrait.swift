// Without the trait, the names of this product say what is missing.
#if !Service
@available(*, unavailable, message: "TidingsService needs the trait Service: .package(…, traits: [\"Service\"])")
public enum RelayService {
  public init(_ relay: Any) { fatalError() }
}
#endif
