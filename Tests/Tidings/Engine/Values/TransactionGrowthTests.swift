import Testing
import TidingsTesting

@testable import Tidings

@Suite("22. Transactions over many values", .serialized)
struct TransactionGrowthTests {
  @Test("The first one over values with handlers takes time in proportion to their number")
  func firstTransaction() async {
    let times = Recorder<Double>()
    func measure(_ count: Int) async -> Double {
      await Threads.elsewhere {
        let values = (0..<count).map { _ in Observed(0) }
        let tokens = values.map { $0.observe { _ in } }
        let start = Threads.processorTime
        transaction { for value in values { value.set(1) } }
        times(Threads.processorTime - start)
        #expect(values.allSatisfy { Graph.root(of: $0.cell.node) == Graph.root(of: values[0].cell.node) })
        withExtendedLifetime(tokens) {}
      }
      return times.values.last!
    }
    // Four times as many take sixteen times as long if each graph is looked for from the beginning.
    var (few, many) = (Double.infinity, Double.infinity)
    for _ in 0..<3 {
      few = min(few, await measure(1_000))
      many = min(many, await measure(4_000))
    }
    #expect(many < 9 * few, "\(few) and \(many) seconds")
  }
}
