import Testing
import TidingsTesting

@testable import Tidings

@Suite("Memory beside a long computation")
struct LongComputationTests {
  /// In a process of its own: the pins of other tests would be counted.
  @Test("However often values are written while a closure runs, what is kept is bounded by the values that it may see")
  func isBounded() async {
    await #expect(processExitsWith: .success) {
      let (number, text, began, proceed, ended) = (Observed(0), Observed("0"), Gate(), Gate(), Gate())
      let (sum, size) = (Derived { number.value + 1 }, Derived { text.value + "!" })
      let tokens = [sum.observe { _ in }, size.observe { _ in }]
      // The first reads put the closure's pin into the graph of the values that are written meanwhile.
      let long = Derived {
        let before = number.value + sum.value
        began.open()
        proceed.wait()
        return number.value + sum.value == before ? before : -1
      }
      Threads.start {
        _ = long.value
        ended.open()
      }
      began.wait()
      for round in 1...5_000 {
        number.set(round)
        text.set("\(round)")
      }
      let nodes = [number.cell.node, text.cell.node, sum.cell.node, size.cell.node]
      precondition(
        nodes.allSatisfy { versions(of: $0) <= 3 } && retiredCount(at: sum.cell.node) < 50,
        "\(nodes.map(versions)), \(retiredCount(at: sum.cell.node))")
      precondition(sum.value == 5_001 && size.value == "5000!")
      proceed.open()
      ended.wait()
      precondition(long.value == 10_001)
      withExtendedLifetime(tokens) {}
    }
  }
}

private func versions(of node: NodePointer) -> Int {
  Graph.with(node) { _ in
    var (count, next) = (0, node.pointee.latest)
    while let version = next { (count, next) = (count + 1, version.pointee.previous) }
    return count
  }
}
/// Returns the number of retired objects that wait for the end of the pin.
private func retiredCount(at node: NodePointer) -> Int {
  Graph.with(node) { graph in
    var (count, next) = (0, graph.firstRetired)
    while let retired = next { (count, next) = (count + 1, retired.pointee.next) }
    return count
  }
}
