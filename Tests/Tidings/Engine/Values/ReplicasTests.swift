import Synchronization
import Testing
import TidingsTesting

@testable import Tidings

@Suite("16. A source that threads read in graphs of their own is one value for all of them")
struct ReplicasTests {
  private let source = Observed(1)
  private let home: Derived<Int>

  init() {
    home = Derived { [source] in source.value * 10 }
    _ = home.value
  }

  /// A value of its own and the source, first read by another thread: it has a graph of its own.
  private func readElsewhere() -> (own: Observed<Int>, sum: Derived<Int>) {
    let own = Observed(100)
    let sum = Derived { [source] in own.value + source.value }
    Threads.elsewhere { _ = sum.value }
    return (own, sum)
  }
  private var replicas: Int { Self.replicas(of: source.cell.node) }
  private static func replicas(of source: NodePointer) -> Int {
    guard source.pointee.isReplicated, let graphs = source.replicas?.graphs() else { return 0 }
    defer { graphs.free() }
    return graphs.count
  }

  @Test("A value that another thread computes from it has a graph of its own, and is notified before each set returns")
  func sets() {
    let ((own, sum), received) = (readElsewhere(), Recorder<Int>())
    let token = sum.observe { received($0.new) }
    #expect(replicas == 1)
    #expect(Graph.root(of: sum.cell.node) != Graph.root(of: home.cell.node))
    source.set(2)
    #expect([sum.value, home.value] == [102, 20])
    own.set(200)
    #expect(sum.value == 202)
    source.update { $0 += 1 }
    #expect([sum.value, home.value] == [203, 30])
    #expect(received.values == [102, 202, 203])
    token.cancel()
  }

  @Test("A thread that reads what it has read before, or what it has made, joins the graph of the source")
  func sameThread() {
    let own = Observed(100)
    let sum = Derived { own.value + source.value }
    #expect(sum.value == 101)
    #expect(replicas == 0)
    #expect(Graph.root(of: sum.cell.node) == Graph.root(of: home.cell.node))
  }

  @Test("A transaction writes it and a value of the other graph at once, and reads what becomes of both")
  func transactions() {
    let (own, sum) = readElsewhere()
    let received = Recorder<Int>()
    let token = sum.observe { received($0.new) }
    transaction {
      source.set(2)
      #expect(sum.value == 102)
      own.set(200)
      #expect(sum.value == 202)
    }
    #expect(received.values == [202])
    #expect([sum.value, home.value] == [202, 20])
    #expect(throws: CancellationError.self) {
      try transaction {
        source.set(7)
        #expect(sum.value == 207)
        throw CancellationError()
      }
    }
    #expect([sum.value, home.value] == [202, 20])
    source.set(3)
    #expect([sum.value, home.value] == [203, 30])
    token.cancel()
  }

  /// In a process of its own: for a thread of another test a copy of a replica may be kept, and with it the replica.
  @Test("If hardly anything is computed between two sets, the graphs become one, and a set is one write again")
  func idle() async {
    await #expect(processExitsWith: .success) {
      let test = ReplicasTests()
      let (_, sum) = test.readElsewhere()
      for number in 2...4 {
        #expect(Graph.root(of: sum.cell.node) != Graph.root(of: test.home.cell.node))
        test.source.set(number)
      }
      #expect(Graph.root(of: sum.cell.node) == Graph.root(of: test.home.cell.node))
      #expect(sum.value == 104)
      test.source.set(3)
      #expect(test.replicas == 0)
      #expect([sum.value, test.home.value] == [103, 30])
      let isCautious = test.source.cell.node.pointee.isCautious.load(ordering: .relaxed)
      #expect(!isCautious)
    }
  }

  @Test("If much is computed between two sets, the graphs stay separate")
  func busy() {
    let own = Observed(100)
    let sum = Derived { [source] in own.value + source.value }
    for round in 2...6 {
      Threads.elsewhere { [source] in
        for number in 0..<20 {
          own.set(number)
          #expect(sum.value == number + source.value)
        }
      }
      source.set(round)
    }
    #expect(Graph.root(of: sum.cell.node) != Graph.root(of: home.cell.node))
    #expect(sum.value == 19 + 6)
  }

  @Test("A replica ends with its readers, and a reader of a destroyed source keeps its last value")
  func lifetimes() async {
    var (_, sum): (Observed<Int>, Derived<Int>?) = readElsewhere()
    _ = sum
    sum = nil
    // The thread may still have what it has run.
    #expect(await eventually { replicas == 0 })

    var source: Observed<Int>? = Observed(1)
    let home = Derived { [weak source] in source?.value ?? -1 }
    _ = home.value
    let own = Observed(100)
    let kept = Derived { [weak source] in own.value + (source?.value ?? -1) }
    await Threads.elsewhere { _ = kept.value }
    source?.set(2)
    #expect(kept.value == 102)
    source = nil
    #expect(kept.value == 102)
    own.set(200)
    #expect(kept.value == 199)
  }

  @Test("An object is released when it has been replaced in all graphs")
  func objects() async {
    await #expect(processExitsWith: .success) {
      let canaries = Canaries()
      let (source, own) = (Observed(canaries.make()), Observed(0))
      let home = Derived { withExtendedLifetime(source.value) { 1 } }
      let sum = Derived { withExtendedLifetime(source.value) { own.value } }
      _ = home.value
      Threads.elsewhere { _ = sum.value }
      #expect(ReplicasTests.replicas(of: source.cell.node) == 1)
      source.set(canaries.make())
      #expect(canaries.alive == 1)
      transaction {
        source.set(canaries.make())
        own.set(1)
      }
      #expect(canaries.alive == 1)
      #expect([home.value, sum.value] == [1, 1])
    }
  }

  @Test("There are at most sixteen replicas, one for a thread: further threads' graphs join one of these")
  func many() {
    let all = (0..<80).map { [source] _ in
      let own = Observed(100)
      return (own: own, sum: Derived { own.value + source.value })
    }
    // No thread ends before all have one: otherwise the next thread would not be a different one.
    let (arrived, go) = (Locked(0), Gate())
    Threads.together(40) { thread in
      for (_, sum) in all[(2 * thread)...(2 * thread + 1)] { _ = sum.value }
      arrived.withLock { $0 += 1 }
      if arrived.current == 40 { go.open() }
      go.wait()
    }
    #expect(replicas == 16)
    #expect(Set(all.map { Graph.root(of: $0.sum.cell.node) }).count == 16)
    source.set(2)
    #expect(all.allSatisfy { $0.sum.value == 102 })
    for (own, _) in all { own.set(200) }
    #expect(all.allSatisfy { $0.sum.value == 202 })
  }

  @Test("Threads compute from one source and update it now and then: each sees it grow, and the last update")
  func threads() {
    let (source, violations) = (source, Locked<[String]>([]))
    let pairs = (0..<3).map { _ in
      let own = Observed(0)
      return (own: own, pair: Derived { [own.value, source.value] })
    }
    Threads.together(3) { thread in
      let (own, pair) = pairs[thread]
      var last = 0
      for number in 1...3_000 {
        own.set(number)
        let seen = pair.value
        if seen[0] != number || seen[1] < last { violations.withLock { $0.append("\(seen) after \(number), \(last)") } }
        last = seen[1]
        if number % 100 == 0 {
          last = source.update {
            $0 += 1
            return $0
          }
        }
      }
    }
    #expect(violations.current == [])
    #expect(pairs.map { $0.pair.value } == Array(repeating: [3_000, 91], count: 3))
    #expect(home.value == 910)
  }
}
