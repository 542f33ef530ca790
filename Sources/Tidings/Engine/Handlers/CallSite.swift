import Synchronization

/// The place where a subscription was made. It is kept in debug builds only.
@usableFromInline
struct CallSite: Sendable {
  @usableFromInline let file: StaticString
  private let bits: UInt
  @usableFromInline var line: UInt { bits & ~Self.followed }
  private static var followed: UInt { 1 << (UInt.bitWidth - 1) }

  @usableFromInline init(file: StaticString, line: UInt) { (self.file, bits) = (file, line) }

  /// The same place, for a handler by which an operator follows one more source with each value. The operators of that source pass it
  /// on.
  @usableFromInline var ofFollowedSource: CallSite { CallSite(file: file, line: line | Self.followed) }
  var isOfFollowedSource: Bool { bits & Self.followed != 0 }
}
