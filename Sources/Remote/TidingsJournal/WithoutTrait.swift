// Without the trait, the names of this product say what is missing.
#if !SQLite
@available(*, unavailable, message: "TidingsJournal needs the trait SQLite: .package(…, traits: [\"SQLite\"])")
public enum Journal {
  public init(_ path: String) { fatalError() }
}
#endif
