import Testing

@testable import Tidings

@Suite("Graphs that a thread keeps")
struct SpareGraphsTests {
  @Test("The graph that was given back last is taken next, under a new name")
  func again() {
    var graphs = SpareGraphs()
    let (one, other) = (graphs.take(), graphs.take())
    let names = [one.pointee.name, other.pointee.name]
    graphs.giveBack(one)
    graphs.giveBack(other)
    #expect(graphs.take() == other && graphs.take() == one)
    #expect(Set(names + [one.pointee.name, other.pointee.name]).count == 4)
    graphs.giveBack(one)
    graphs.giveBack(other)
    graphs.giveBackAll()
  }

  @Test("No two uses have one name, whichever threads they are of, and a thread keeps eight at most")
  func names() {
    var (one, other, names) = (SpareGraphs(), SpareGraphs(), Set<UInt>())
    for _ in 0..<300 {
      for graph in [one.take(), other.take()] {
        names.insert(graph.pointee.name)
        one.giveBack(graph)
      }
    }
    #expect(names.count == 600 && one.count == 8)
    one.giveBackAll()
    other.giveBackAll()
    #expect(one.count == 0)
  }
}
