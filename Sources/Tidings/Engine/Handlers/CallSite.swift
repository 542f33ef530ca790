import Synchronization

/// The place where a subscription was made. It is kept in debug builds only.
@usableFromInline
struct CallSite: Sendable {
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @usableFromInline init(file: StaticString, line: UInt) {
    self.file = file
    self.line = line
  }
}
