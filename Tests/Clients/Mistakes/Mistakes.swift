// Mistakes, each with the message that the compiler gives. `.ci/mistakes` compiles this file and compares: the line after a
// comment must be reported with the text of the comment. The file belongs to no target.
//
// The letter rates a message: A says what to write, B names what is wrong, C leads elsewhere.
import Tidings

struct Trade: Sendable {
  var price: Double
  var symbol = "MSFT"
}
struct View {}
final class Ledger { var trades: [Trade] = [] }
@MainActor final class Screen { var title = "" }
actor Store {
  func save(_ trade: Trade) async throws {}
}

func reading(
  _ price: Observed<Double>, _ profile: Observed<Trade>, _ total: Derived<Double>, _ shown: ReadOnly<Double>
) {
  // 1. A setter for 'value' is unavailable: use set(_:), or update { … } to change it in place
  price.value = 3
  // 2. A setter for 'value' is unavailable: use set(_:), or update { … } to change it in place
  price.value += 3
  // 3. B cannot assign to property: 'value' is a get-only property
  total.value = 3
  // 4. A 'set' is unavailable: a derived value follows from what its closure reads: set that
  total.set(3)
  // 5. A 'update' is unavailable: a derived value follows from what its closure reads: update that
  total.update { $0 += 1 }
  // 6. A 'set' is unavailable: this value is read-only: its owner sets the value that it shows
  shown.set(3)
  // 7. A 'update' is unavailable: this value is read-only: its owner updates the value that it shows
  shown.update { $0 += 1 }
  // 8. B value of type 'Derived<Double>' has no dynamic member 'sett' using key path from root type 'Double'
  total.sett(3)
  // 9. B value of type 'Observed<Double>' has no dynamic member 'sett' using key path from root type 'Double'
  price.sett(3)
  // 10. B value of type 'Observed<Trade>' has no dynamic member 'pricee' using key path from root type 'Trade'
  print(profile.pricee)
  // 11. B cannot assign value of type 'Int' to type 'Derived<Double>'
  profile.price = 3
  // 12. A 'emit' is unavailable: a value is set: use set(_:), or update { … }
  price.emit(3)
  // 13. A 'send' has been renamed to 'set(_:)'
  price.send(3)
  // 14. A 'update' is unavailable: the closure of update may run again and cannot wait: await first, then update
  price.update { $0 = await load() }
  // 15. A 'transaction' is unavailable: a transaction holds up nothing and cannot wait: await first, then write
  transaction { price.set(await load()) }
}

func observing(_ traded: Event<Trade>, _ pressed: LocalEvent<Int>, _ store: Store, _ view: View) {
  // 16. B result of call to 'observe(_:file:line:)' is unused
  traded.observe { print($0) }
  // 17. A 'observe' is unavailable: a handler that throws needs to know where errors go: observe(onError: { … }) { … }
  let first = traded.observe { trade in try book(trade) }
  // 18. A 'observe' is unavailable: a handler that throws needs to know where errors go: observe(onError: { … }) { … }
  let second = traded.observe { trade in try await store.save(trade) }
  // 19. A 'observe(with:_:)' is unavailable: a handler that throws needs to know where errors go: observe(with: owner, onError: { … }) { … }
  traded.observe(with: store) { store, trade in try await store.save(trade) }
  // 20. A 'observe(with:_:)' is unavailable: an owner is an object that is Sendable, or an actor: it is held weakly, and the handler ends with it. Capture anything else in the closure of observe { … }, and keep the subscription
  traded.observe(with: view) { view, trade in print(trade) }
  // 21. A 'observe(on:_:)' is unavailable: a handler on a delivery target cannot wait: observe { … } awaits a handler
  let third = traded.observe(on: DeliveryTarget { $0() }) { trade in await slow(trade) }
  // 22. A 'once' is unavailable: a handler that throws needs to know where errors go: once(onError: { … }) { … }
  traded.once { trade in try book(trade) }
  // 23. A 'observe' is unavailable: handlers of a LocalEvent run in place: they cannot wait, and one that throws needs observe(onError: { … }) { … }; Event has handlers that are awaited
  let fourth = pressed.observe { key in await Task.yield() }
  // 24. A 'subscribe' is unavailable: use observe { … }, and keep the subscription
  traded.subscribe { print($0) }
  // 25. A 'sink' is unavailable: use observe { … }, and keep the subscription
  traded.sink { print($0) }
  _ = (first, second, third, fourth)
}

func emitting(_ traded: Event<Trade>, _ dear: AnyEventSource<Double>) {
  // 26. A 'send' has been renamed to 'emit(_:)'
  traded.send(Trade(price: 1))
  // 27. A 'emit' is unavailable: what an operator gives can be observed and not emitted: emit on the event that it is made of
  dear.emit(3)
  // 28. A 'value' is unavailable: an event has no value: hold(nil) makes one that is the latest, Observed is one to set
  print(traded.value)
  // 29. A 'map' is unavailable: operators neither wait nor throw: map to a Result or use compactMap { try? … }; to wait, observe { await … } or for await … in stream()
  let first = traded.map { trade in try parse(trade) }
  // 30. A 'filter' is unavailable: operators neither wait nor throw: use try? in the closure; to wait, observe { await … } or for await … in stream()
  let second = traded.filter { trade in await isLarge(trade) }
  // 31. A 'compactMap' is unavailable: operators neither wait nor throw: use try? in the closure; to wait, observe { await … } or for await … in stream()
  let third = traded.compactMap { trade in try parse(trade) }
  _ = (first, second, third)
}

func sharing(_ traded: Event<Trade>, _ screen: Screen, _ ledger: Ledger) {
  // 32. B type 'Ledger' does not conform to the 'Sendable' protocol
  let first = Event<Ledger>()
  // 33. B type 'Ledger' does not conform to the 'Sendable' protocol
  let second = Observed(ledger)
  // 34. B capture of 'ledger' with non-Sendable type 'Ledger' in a '@Sendable' closure
  let third = traded.observe { ledger.trades.append($0) }
  // 35. B main actor-isolated property 'title' can not be mutated from a Sendable closure
  let fourth = traded.observe { @Sendable trade in screen.title = trade.symbol }
  // 36. B capture of 'ledger' with non-Sendable type 'Ledger' in a '@Sendable' closure
  let fifth = Derived { ledger.trades.count }
  // 37. B main actor-isolated property 'title' can not be referenced from a Sendable closure
  let sixth = Derived { @Sendable in screen.title }
  var count = 0
  // 38. B mutation of captured var 'count' in concurrently-executing code
  let seventh = traded.observe { _ in count += 1 }
  // 39. A 'set' is unavailable: this value is read-only: its owner sets the value that it shows
  traded.hold(Trade(price: 1)).set(Trade(price: 2))
  _ = (first, second, third, fourth, fifth, sixth, seventh)
}

func crossing(_ traded: Event<Trade>, _ pressed: LocalEvent<Trade>, _ selected: LocalObserved<Int>) {
  // 40. B capture of 'pressed' with non-Sendable type 'LocalEvent<Trade>' in a '@Sendable' closure
  let first = traded.observe { pressed.emit($0) }
  // 41. B capture of 'selected' with non-Sendable type 'LocalObserved<Int>' in a '@Sendable' closure
  let second = traded.observe { _ in selected.value = 3 }
  _ = (first, second)
}

func answering(_ closing: Hook<Trade, Bool, Never>, _ screen: Screen, _ ledger: Ledger) {
  // 42. B type 'Ledger' does not conform to the 'Sendable' protocol
  let first = Hook<Ledger, Bool, Never>("opening")
  // 43. B capture of 'ledger' with non-Sendable type 'Ledger' in a '@Sendable' closure
  let second = closing.handle { _ in ledger.trades.isEmpty }
  // 44. B main actor-isolated property 'title' cannot be accessed from outside of the actor
  let third = closing.handle { @Sendable _ in screen.title.isEmpty }
  // 45. B invalid conversion from throwing function of type '@Sendable (Trade) throws -> Bool' to non-throwing function type '@isolated(any) @Sendable (Trade) async -> Bool'
  let fourth = closing.handle { trade in try isBooked(trade) }
  _ = (first, second, third, fourth)
}

func deriving(_ price: Observed<Double>, _ total: Derived<Double>) {
  // 46. A 'init(_:_:)' is unavailable: the closure of a derived value cannot wait: AsyncDerived { … }, of TidingsState, loads a value
  let first = Derived { await load() }
  // 47. A 'init(_:)' is unavailable: a derived value takes a closure that reads its inputs: Derived { … }
  let second = Derived(price.value * 2)
  // 48. B cannot convert value of type 'Derived<Double>' to specified type 'Observed<Double>'
  let third: Observed<Double> = total
  // 49. A 'finish()' is unavailable: a value ends when it is deinitialized, and a derived value with its sources
  total.finish()
  // 50. B static property 'distinct' requires that 'Trade' conform to 'Equatable'
  let fourth = Observed(Trade(price: 1), changes: .distinct)
  // 51. B call can throw, but it is not marked with 'try' and the error is not handled
  transaction { try book(Trade(price: 1)) }
  _ = (first, second, third, fourth)
}

func changing(_ count: Observed<Int>, _ names: Observed<[String]>, _ price: Observed<Double>) {
  // 52. A '+=' is unavailable: a value is changed in place by update { $0 += … }
  count += 1
  // 53. A '-=' is unavailable: a value is changed in place by update { $0 -= … }
  count -= 1
  // 54. A 'subscript(_:)' is unavailable: an element is read as value[…] and changed by update { $0[…] = … }
  names[0] = "Ada"
  // 55. A setter for 'value' is unavailable: use set(_:), or update { … } to change it in place
  names.value.append("Ada")
  // 56. C dynamic key path member lookup cannot refer to instance method 'removeAll(keepingCapacity:)'
  names.removeAll()
  // 57. B cannot convert value of type 'Change<Double>' to expected argument type 'Int'
  let first = price.observe { new in print(new + 1) }
  // 58. B value of optional type 'Double?' must be unwrapped to a value of type 'Double'
  let second = price.observe { change in print(change.old + 1) }
  // 82. C referencing operator function '>' on 'BinaryInteger' requires that 'Observed<Double>' conform to 'BinaryInteger'
  if price > 3 { print("dear") }
  _ = (first, second)
}

func handling(_ traded: Event<Trade>, _ screen: Screen, _ queue: Queue) {
  // 59. A 'observe(_:onError:)' is unavailable: onError comes first: observe(onError: { … }) { … }
  let first = traded.observe { trade in
    try book(trade)
  } onError: {
    print($0)
  }
  // 60. A 'observe' is unavailable: the handler receives the value: observe { _ in … } if it does not use it
  let second = traded.observe { print("traded") }
  // 61. A 'observe' is unavailable: an event has no initial value: observe { … }; startWith(_:) and replay(_:) deliver earlier values first
  let third = traded.observe(.initial) { trade in print(trade) }
  // 62. A 'observe(on:_:)' is unavailable: observe(on:) takes a DeliveryTarget: .queue(…) of TidingsDispatch for a dispatch queue; a handler that is formed on an actor runs there without it
  let fourth = traded.observe(on: queue) { trade in print(trade) }
  // 63. A 'observe(with:_:)' is unavailable: the handler receives the owner and the value: observe(with: owner) { owner, value in … }
  traded.observe(with: screen) { trade in print(trade) }
  // 64. A 'once' is unavailable: the handler receives the value: once { _ in … } if it does not use it
  traded.once { print("traded") }
  _ = (first, second, third, fourth)
}

func porting(_ traded: Event<Trade>, _ priced: Event<Double>, _ queue: Queue) {
  // 65. A 'debounce(for:scheduler:)' is unavailable: use debounced(for:), of the product TidingsTime
  let first = traded.debounce(for: .seconds(1))
  // 66. A 'throttle(for:scheduler:latest:)' is unavailable: use throttled(for:), of the product TidingsTime
  let second = traded.throttle(for: .seconds(1), scheduler: queue, latest: true)
  // 67. A 'receive(on:)' is unavailable: a handler that is formed on an actor runs there; for other places observe(on:) takes a DeliveryTarget
  let third = traded.receive(on: queue)
  // 68. A 'assign(to:on:)' is unavailable: use observe(with: object) { object, value in … }
  let fourth = priced.assign(to: \Ledger.trades, on: Ledger())
  // 69. A 'combineLatest' is unavailable: values are combined by Derived { … }, events by withLatest(from:), zip(_:) or merge(_:)
  let fifth = traded.combineLatest(priced)
  // 70. A 'flatMap' is unavailable: flatMap { … } makes an event of each value; compactMap { … } unwraps optional values
  let sixth = traded.flatMap { trade in trade.price > 100 ? trade.price : nil }
  // 71. A 'distinctUntilChanged()' has been renamed to 'removeDuplicates()'
  let seventh = priced.distinctUntilChanged()
  _ = (first, second, third, fourth, fifth, sixth, seventh)
}

func portingRelays(_ priced: Event<Double>, _ query: Observed<String>, _ bag: Queue) {
  // 83. A 'accept' has been renamed to 'emit(_:)'
  priced.accept(3)
  // 84. A 'onNext' has been renamed to 'emit(_:)'
  priced.onNext(3)
  // 85. A 'accept' has been renamed to 'set(_:)'
  query.accept("b")
  // 86. A 'subscribe(onNext:)' is unavailable: use observe { … }, and keep the subscription
  priced.subscribe(onNext: { print($0) })
  // 87. A 'bind(onNext:)' is unavailable: use observe { … }, and keep the subscription
  priced.bind(onNext: { print($0) })
  // 88. A 'bind(to:)' is unavailable: use observe(with: object) { object, value in … }, or assign(to:) for an Observed
  priced.bind(to: bag)
  // 89. A 'drive(onNext:)' is unavailable: a handler that is formed on the main actor runs there: use observe { … }
  priced.drive(onNext: { print($0) })
  // 90. A 'withLatestFrom' has been renamed to 'withLatest(from:)'
  let first = priced.withLatestFrom(query)
  // 91. A 'take' has been renamed to 'prefix(_:)'
  let second = priced.take(1)
  // 92. A 'skip' has been renamed to 'dropFirst(_:)'
  let third = priced.skip(1)
  // 93. A 'asDriver()' is unavailable: an output is an AnyEventSource(event), the readOnly of a value, or a Derived; handlers run where they are formed
  let fourth = query.asDriver()
  // 94. A 'disposed(by:)' is unavailable: use store(in:), with a Set of subscriptions
  priced.observe { print($0) }.disposed(by: bag)
  _ = (first, second, third, fourth)
}

func pairing(_ traded: Event<Trade>, _ pair: Event<(Int, String)>, _ pressed: LocalEvent<Int>) async {
  // 72. A 'emit' is unavailable: an event has one payload: a tuple has its own parentheses, emit((…, …))
  pair.emit(1, "a")
  // 73. B referencing instance method 'removeDuplicates()' on 'EventSource' requires that 'Trade' conform to 'Equatable'
  let first = traded.removeDuplicates()
  // 74. B cannot convert value of type 'AnyEventSource<Double>' to specified type 'Event<Double>'
  let second: Event<Double> = traded.map(\.price)
  // 75. A 'map' is unavailable: a LocalEvent has no operators: compute in its handler, or use an Event
  let third = pressed.map { $0 + 1 }
  // 76. A expression is 'async' but is not marked with 'await'
  traded.emitAndWait(Trade(price: 1))
  // 77. B for-in loop requires 'Event<Trade>' to conform to 'AsyncSequence'
  for await trade in traded { print(trade) }
  // 78. B for-in loop requires 'EventStream<Trade>' to conform to 'Sequence'
  for trade in traded.stream() { print(trade) }
  _ = (first, second, third)
}

@MainActor final class Player {
  @Observed var volume = 0.5
  // 79. C cannot find 'self' in scope; did you mean to use it in a type or extension context?
  let half = Derived { self.volume / 2 }
  // 80. B main actor-isolated property 'volume' can not be referenced from a Sendable closure
  lazy var double = Derived { self.volume * 2 }
  func change() {
    // 81. A setter for 'volume' is unavailable: use $property.set(…) or $property.update { … }; on the main actor a @MainObserved var is assigned
    volume = 1
  }
}

final class Queue: Sendable {}
func isBooked(_ trade: Trade) throws -> Bool { true }
func book(_ trade: Trade) throws {}
func parse(_ trade: Trade) throws -> Int? { 1 }
func slow(_ trade: Trade) async {}
func isLarge(_ trade: Trade) async -> Bool { true }
func load() async -> Double { 1 }
