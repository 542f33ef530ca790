import Synchronization

/// An object that handlers capture. After each input none is left, regardless of the operations.
final class Captured: Sendable {
  private static let count = Atomic<Int>(0)
  static var alive: Int { count.load(ordering: .relaxed) }
  private let mark = Atomic<Int>(0x5EED)

  init() { Self.count.wrappingAdd(1, ordering: .relaxed) }
  deinit {
    mark.store(0, ordering: .relaxed)
    Self.count.wrappingSubtract(1, ordering: .relaxed)
  }

  /// A call of a handler that is destroyed already stops the fuzzer.
  func touch() { expect(mark.load(ordering: .relaxed) == 0x5EED, "a handler is called after its end") }
}
