#if canImport(Combine) || OpenCombine
import Testing
import Tidings
import TidingsCombine
import TidingsTesting

#if canImport(Combine)
import Combine
#else
import OpenCombine
#endif

/// The code that the documentation shows.
@Suite("The Combine bridge, as its documentation shows it")
struct CombineDocumentationTests {
  private struct Trade: Sendable {
    let price: Double
  }

  @Test("An event as a publisher")
  func event() {
    let traded = Event<Trade>("market.traded")
    let cancellable = traded.publisher().map(\.price).sink { price in print(price) }
    traded.emit(Trade(price: 39.81))
    #expect(traded.diagnostics.count == 1)
    cancellable.cancel()
  }

  @Test("A value as a publisher")
  func value() {
    let price = Observed(100.0)
    let cancellable = price.publisher().sink { price in print(price) }
    price.set(101)
    #expect(price.diagnostics.count == 1)
    cancellable.cancel()
  }

  @Test("A publisher into an event")
  func publisher() {
    let (prices, priced) = (PassthroughSubject<Double, Never>(), Event<Double>("market.priced"))
    let recording = priced.record()
    let cancellable = prices.sink(into: priced) { completion in print(completion) }
    prices.send(39.81)
    #expect(recording.values == [39.81])
    cancellable.cancel()
  }

  /// The README shows it beside a transaction.
  @Test("combineLatest of two subjects reports a total between the two changes")
  func totalBetweenChanges() {
    var printed: [String] = []
    func print(_ line: String) { printed.append(line) }
    let (apple, amazon) = (CurrentValueSubject<Int, Never>(200), CurrentValueSubject<Int, Never>(70))
    let worth = apple.combineLatest(amazon).map(+).dropFirst().sink { total in print("worth \(total)") }
    apple.send(150)  // prints worth 220
    amazon.send(130)  // prints worth 280
    #expect(printed == ["worth 220", "worth 280"])
    worth.cancel()
  }
}

#if !canImport(Combine)
extension Publisher {
  /// OpenCombine has none. For two subjects, which always have a value, this emits what Combine's operator does.
  fileprivate func combineLatest<Other: Publisher>(_ other: Other) -> AnyPublisher<(Output, Other.Output), Failure>
  where Other.Failure == Failure {
    map { value in other.map { (value, $0) } }.switchToLatest().eraseToAnyPublisher()
  }
}
#endif
#endif
