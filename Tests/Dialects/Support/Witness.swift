/// An object whose deinitialization runs a closure. What captures it is seen to be released.
final class Witness {
  private let atEnd: () -> Void
  init(_ atEnd: @escaping () -> Void = {}) { self.atEnd = atEnd }
  deinit { atEnd() }
  @inline(never) func touch() {}
}
