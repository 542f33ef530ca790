import Synchronization

/// A sum that several threads add to.
package final class Tally: Sendable {
  private let sum = Atomic<Int>(0)
  package init() {}
  package func add(_ number: Int) { sum.add(number, ordering: .relaxed) }
  package var total: Int { sum.load(ordering: .relaxed) }
}
