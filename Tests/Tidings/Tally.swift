import Synchronization

/// A sum that several threads add to.
final class Tally: Sendable {
  private let sum = Atomic<Int>(0)
  func add(_ number: Int) { sum.add(number, ordering: .relaxed) }
  var total: Int { sum.load(ordering: .relaxed) }
}
