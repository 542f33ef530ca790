import Synchronization
import Testing

@testable import Tidings

@Suite("Graphs that were merged")
struct GraphMemoryTests {
  @Test("A value that is never read keeps no graph for each of the short-lived ones that its source was connected with")
  func wayToTheGraph() {
    let source = Observed(0)
    let unread = Derived { source.value }
    _ = unread.value
    for round in 1...200 {
      let parts = (0..<8).map { Observed($0) }
      let sum = Derived { parts.reduce(0) { $0 + $1.value } }
      #expect(sum.value == 28)
      // Its graph is the larger one until here.
      let all = Derived { sum.value + source.value }
      #expect(all.value == 27 + round)
      source.set(round)
    }
    #expect(stepsToGraph(of: unread.cell.node) <= 8)
    #expect(unread.value == 200)
  }

  @Test("No value names the graph in which it was first computed, where that was merged: so its memory is used again")
  func firstComputations() {
    let source = Observed(1)
    let values = (0..<3).map { place in Derived { source.value + place } }
    for value in values { _ = value.value }
    #expect(Set(values.map { $0.cell.node.pointee.graph.load(ordering: .relaxed) }).count == 1)
  }
}

private func stepsToGraph(of node: NodePointer) -> Int {
  var (steps, next) = (0, GraphPointer(bitPattern: node.pointee.graph.load(ordering: .acquiring)))
  while let graph = next {
    steps += 1
    next = GraphPointer(bitPattern: graph.pointee.mergedInto.load(ordering: .acquiring))
  }
  return steps
}
