// Without the trait, the names of this product say what is missing.
#if !Inspector
@available(*, unavailable, message: "TidingsInspector needs the trait Inspector: .package(…, traits: [\"Inspector\"])")
public enum Inspector {
  public init() { fatalError() }
}
#endif
