#if Inspector
/// Something that is probably a mistake.
struct Warning: Sendable, Hashable {
  enum Kind: String, Sendable {
    case growing, alive, slow, unread, rejected, unchanged
  }
  let kind: Kind
  /// In a few words, without numbers that change.
  let title: String
  let detail: String
  /// The object that it is about; nil for what was rejected.
  let object: UInt?
}
#endif
