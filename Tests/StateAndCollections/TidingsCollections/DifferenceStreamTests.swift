import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Differences with the whole first")
struct DifferenceStreamTests {
  @Test("A stream gives the whole, then the edits since what was taken, as one difference")
  func wholeThenEdits() async {
    let list = ObservedArray([1, 2])
    var differences = list.differences.stream(.initial).makeAsyncIterator()
    var mirror: [Int] = []
    func take() async -> ArrayDifference<Int>? {
      let difference = await differences.next()
      difference?.apply(to: &mirror)
      return difference
    }
    let whole = await take()
    #expect(whole?.isReset == true && mirror == [1, 2])
    list.append(3)
    #expect(await take()?.edits == [.insert(3, at: 2)])
    list.append(4)
    list.remove(at: 0)
    let both = await take()
    #expect(both?.edits == [.insert(4, at: 3), .remove(1, at: 0)] && both?.isReset == false && mirror == [2, 3, 4])
  }

  @Test("A consumer that has missed more edits than are kept receives the whole again, and then edits")
  func wholeAfterADrop() async {
    let list = ObservedArray([0])
    let evens = list.filter { $0 % 2 == 0 }
    var differences = list.differences.stream(.initial).makeAsyncIterator()
    var ofEvens = evens.differences.stream(.initial).makeAsyncIterator()
    #expect(await differences.next()?.isReset == true)
    #expect(await ofEvens.next()?.elements == [0])
    for number in 1...1_000 { list.set(number, at: 0) }
    let whole = await differences.next()
    #expect(whole?.isReset == true && whole?.elements == [1_000])
    #expect(await ofEvens.next()?.elements == [1_000])
    list.append(1_002)
    #expect(await differences.next()?.edits == [.insert(1_002, at: 1)])
    #expect(await ofEvens.next()?.edits == [.insert(1_002, at: 1)])
  }

  @Test("For a consumer that does not take, no more than the last edits are kept")
  func boundedMemory() async {
    final class Element: Sendable {
      let alive: Locked<Int>
      init(_ alive: Locked<Int>) {
        self.alive = alive
        alive.withLock { $0 += 1 }
      }
      deinit { alive.withLock { $0 -= 1 } }
    }
    let alive = Locked(0)
    let list = ObservedArray([Element(alive)])
    let stream = list.differences.stream(.initial)
    for _ in 0..<5_000 { list.set(Element(alive), at: 0) }
    #expect(alive.current < 1_000)
    var differences = stream.makeAsyncIterator()
    #expect(await differences.next()?.elements.count == 1)
  }

  @Test("While threads edit, the differences lead to the last array; a cancelled stream ends")
  func amongThreads() async {
    let (list, prices) = (ObservedArray<Int>(), ObservedDictionary<Int, Int>())
    let sorted = list.sorted()
    let streams = (sorted.differences.stream(.initial), prices.differences.stream(.initial))
    async let mirror: [Int] = {
      var mirror: [Int] = []
      for await difference in streams.0 {
        difference.apply(to: &mirror)
        if mirror != difference.elements { break }
        if mirror.count == 400 { streams.0.subscription.cancel() }
      }
      return mirror
    }()
    async let priceMirror: [Int: Int] = {
      var mirror: [Int: Int] = [:]
      for await difference in streams.1 {
        for edit in difference.edits { mirror[edit.key] = edit.new }
        if mirror != difference.elements { break }
        if mirror.count == 400 { streams.1.subscription.cancel() }
      }
      return mirror
    }()
    await Threads.together(4) { thread in
      for step in 0..<100 {
        list.edit { $0.insert(thread * 100 + step, at: $0.count / 2) }
        prices.set(step, for: thread * 100 + step)
      }
    }
    #expect(await mirror == Array(0..<400))
    #expect(await priceMirror.count == 400)
  }

  private final class Owner: Sendable { let received = Recorder<[Int]>() }
  private actor Ledger {
    var received: [[Int]] = []
    func add(_ elements: [Int]) { received.append(elements) }
  }

  @Test("A handler that is bound to an owner receives the whole first, and ends with its owner")
  func owners() async {
    let (list, ledger) = (ObservedArray([1]), Ledger())
    let received: Recorder<[Int]>
    do {
      let owner = Owner()
      received = owner.received
      list.differences.observe(.initial, with: owner) { owner, difference in owner.received(difference.elements) }
      list.append(2)
      #expect(received.values == [[1], [1, 2]])
    }
    let token = list.differences.observe(.initial, with: ledger) { ledger, difference in
      ledger.add(difference.elements)
    }
    list.append(3)
    await token.drained()
    #expect(received.values.count == 2)
    #expect(await ledger.received == [[1, 2], [1, 2, 3]])
    let prices = ObservedDictionary(["a": 1])
    let owner = Owner()
    prices.differences.observe(.initial, with: owner) { owner, difference in
      owner.received(Array(difference.elements.values))
    }
    #expect(owner.received.values == [[1]])
    withExtendedLifetime(owner) {}
  }
}
