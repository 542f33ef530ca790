import Testing
import Tidings
import TidingsTesting

@Suite("Operators over sequences of values")
struct OperatorSequenceTests {
  /// Returns what a view of an event delivers when the event emits the values.
  private func received<Output: Sendable>(
    _ values: [Int], _ view: (Event<Int>) -> AnyEventSource<Output>
  ) -> [Output] {
    let (event, received) = (Event<Int>(), Recorder<Output>())
    let token = view(event).observe { received($0) }
    event.emit(contentsOf: values)
    token.cancel()
    return received.values
  }

  @Test("Each gives what the sequence of the standard library of the same name gives")
  func likeSequences() {
    let values = [3, 1, 4, 1, 5, 9, 2, 6]
    for count in 0...9 {
      #expect(received(values) { $0.prefix(count) } == Array(values.prefix(count)))
      #expect(received(values) { $0.dropFirst(count) } == Array(values.dropFirst(count)))
      #expect(received(values) { $0.prefix { $0 < count } } == Array(values.prefix { $0 < count }))
    }
    #expect(
      received(values) { $0.pairwise().map { [$0.0, $0.1] } } == zip(values, values.dropFirst()).map { [$0, $1] })
    #expect(received(values) { $0.collect(3) } == [[3, 1, 4], [1, 5, 9]])
    #expect(received(values) { $0.scan(into: [Int]()) { $0.append($1) } } == (1...8).map { Array(values.prefix($0)) })
    #expect(received(values) { $0.startWith(7, 8).prefix(3) } == [7, 8, 3])
    #expect(received([]) { $0.startWith(7, 8) } == [7, 8])
  }

  @Test("zip pairs the first with the first, the second with the second, however far one is ahead")
  func zipping() {
    let (numbers, letters, received) = (Event<Int>(), Event<String>(), Recorder<String>())
    let token = numbers.zip(letters).observe { received("\($0.0)\($0.1)") }
    numbers.emit(contentsOf: 0..<200)
    for index in 0..<150 { letters.emit("a\(index)") }
    for index in 150..<300 { letters.emit("a\(index)") }
    numbers.emit(contentsOf: 200..<250)
    #expect(received.values == (0..<250).map { "\($0)a\($0)" })
    token.cancel()
  }

  @Test("withLatest gives each value the other's latest, and nothing before there is one")
  func withLatest() {
    let (event, other, price, received) = (Event<Int>(), Event<String>(), Observed(10), Recorder<String>())
    let first = event.withLatest(from: other).observe { received("\($0.0)\($0.1)") }
    let second = event.withLatest(from: price.changes(.initial)).observe { received("\($0.0) at \($0.1.new)") }
    event.emit(1)
    other.emit("a")
    other.emit("b")
    price.set(20)
    event.emit(2)
    #expect(received.values == ["1 at 10", "2b", "2 at 20"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("handleEvents is called for the subscription, each value and the end")
  func handling() {
    let (event, seen) = (Event<Int>(), Recorder<String>())
    let watched = event.handleEvents(
      onSubscribe: { seen("subscribed") }, onValue: { seen("value \($0)") }, onEnd: { seen("ended") })
    event.emit(0)
    let token = watched.map { $0 * 2 }.observe { seen("handler \($0)") }
    event.emit(1)
    token.cancel()
    #expect(seen.values == ["subscribed", "value 1", "handler 2", "ended"])
  }

  @Test("Nested values of an immediate event reach an operator with a state one at a time", arguments: Stateful.all)
  fileprivate func nestedValues(_ stateful: Stateful) {
    let (event, received) = (Event<Int>(policy: .immediate), Recorder<Int>())
    let token = stateful.view(event).observe { value in
      if value < 5 { event.emit(value + 1) }
      received(value)
    }
    event.emit(contentsOf: [0, 1])
    #expect(received.values.suffix(5) == [1, 2, 3, 4, 5], "each after the call that emitted it has returned")
    token.cancel()
  }

  @Test("Simultaneous values of an immediate event reach an operator with a state, and none is lost")
  func simultaneousValues() {
    let (event, sums) = (Event<Int>(policy: .immediate), Recorder<Int>())
    let sum = event.scan(into: 0) { $0 += $1 }.observe { sums($0) }
    Threads.together(3) { _ in for _ in 0..<50 { event.emit(1) } }
    #expect(sums.values == Array(1...150))
    sum.cancel()
  }
}

/// An operator that passes on what it receives, beside a state.
private struct Stateful: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let view: @Sendable (Event<Int>) -> AnyEventSource<Int>

  static let all = [
    Stateful(testDescription: "pairwise") { $0.pairwise().map { $0.1 } },
    Stateful(testDescription: "collect") { $0.collect(1).map { $0[0] } },
    Stateful(testDescription: "scan") { $0.scan(0) { $1 } },
    Stateful(testDescription: "scan(into:)") { $0.scan(into: 0) { $0 = $1 } },
    Stateful(testDescription: "removeDuplicates") { $0.removeDuplicates() },
    Stateful(testDescription: "dropFirst") { $0.dropFirst() },
    Stateful(testDescription: "prefix") { $0.prefix(100) },
  ]
}
