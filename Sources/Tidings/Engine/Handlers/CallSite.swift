import Synchronization

/// Where a subscription was made. Kept in debug builds only.
@usableFromInline
struct CallSite: Sendable {
  @usableFromInline let file: StaticString
  @usableFromInline let line: UInt

  @usableFromInline init(file: StaticString, line: UInt) {
    self.file = file
    self.line = line
  }
}
