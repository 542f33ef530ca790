// Mistakes, each with the message that the compiler gives. `.ci/mistakes` compiles this file and compares: the line after a
// comment must be reported with the text of the comment. The file belongs to no target.
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
  // 1. setter for 'value' is unavailable: use set(_:), or update { … } to change it in place
  price.value = 3
  // 2. setter for 'value' is unavailable: use set(_:), or update { … } to change it in place
  price.value += 3
  // 3. cannot assign to property: 'value' is a get-only property
  total.value = 3
  // 4. 'set' is unavailable: a derived value follows from what its closure reads: set that
  total.set(3)
  // 5. 'update' is unavailable: a derived value follows from what its closure reads: update that
  total.update { $0 += 1 }
  // 6. 'set' is unavailable: this value is read-only: its owner sets the value that it shows
  shown.set(3)
  // 7. 'update' is unavailable: this value is read-only: its owner updates the value that it shows
  shown.update { $0 += 1 }
  // 8. value of type 'Derived<Double>' has no dynamic member 'sett' using key path from root type 'Double'
  total.sett(3)
  // 9. value of type 'Observed<Double>' has no dynamic member 'sett' using key path from root type 'Double'
  price.sett(3)
  // 10. value of type 'Observed<Trade>' has no dynamic member 'pricee' using key path from root type 'Trade'
  print(profile.pricee)
  // 11. cannot assign value of type 'Int' to type 'Derived<Double>'
  profile.price = 3
  // 12. 'emit' is unavailable: a value is set: use set(_:), or update { … }
  price.emit(3)
  // 13. 'send' has been renamed to 'set(_:)'
  price.send(3)
  // 14. 'update' is unavailable: the closure of update may run again and cannot wait: await first, then update
  price.update { $0 = await load() }
  // 15. 'transaction' is unavailable: a transaction holds up nothing and cannot wait: await first, then write
  transaction { price.set(await load()) }
}

func observing(_ traded: Event<Trade>, _ pressed: LocalEvent<Int>, _ store: Store, _ view: View) {
  // 16. result of call to 'observe(_:file:line:)' is unused
  traded.observe { print($0) }
  // 17. 'observe' is unavailable: a handler that throws needs to know where errors go: observe(onError: { … }) { … }
  let first = traded.observe { trade in try book(trade) }
  // 18. 'observe' is unavailable: a handler that throws needs to know where errors go: observe(onError: { … }) { … }
  let second = traded.observe { trade in try await store.save(trade) }
  // 19. 'observe(with:_:)' is unavailable: a handler that throws needs to know where errors go: observe(with: owner, onError: { … }) { … }
  traded.observe(with: store) { store, trade in try await store.save(trade) }
  // 20. 'observe(with:_:)' is unavailable: an owner is an object that is Sendable, or an actor: it is held weakly, and the handler ends with it. Capture anything else in the closure of observe { … }, and keep the subscription
  traded.observe(with: view) { view, trade in print(trade) }
  // 21. 'observe(on:_:)' is unavailable: a handler on a delivery target cannot wait: observe { … } awaits a handler
  let third = traded.observe(on: DeliveryTarget { $0() }) { trade in await slow(trade) }
  // 22. 'once' is unavailable: a handler that throws needs to know where errors go: once(onError: { … }) { … }
  traded.once { trade in try book(trade) }
  // 23. 'observe' is unavailable: handlers of a LocalEvent run in place: they cannot wait, and one that throws needs observe(onError: { … }) { … }; Event has handlers that are awaited
  let fourth = pressed.observe { key in await Task.yield() }
  // 24. 'subscribe' is unavailable: use observe { … }, and keep the subscription
  traded.subscribe { print($0) }
  // 25. 'sink' is unavailable: use observe { … }, and keep the subscription
  traded.sink { print($0) }
  _ = (first, second, third, fourth)
}

func emitting(_ traded: Event<Trade>, _ dear: AnyEventSource<Double>) {
  // 26. 'send' has been renamed to 'emit(_:)'
  traded.send(Trade(price: 1))
  // 27. 'emit' is unavailable: what an operator gives can be observed and not emitted: emit on the event that it is made of
  dear.emit(3)
  // 28. 'value' is unavailable: an event has no value: hold(nil) makes one that is the latest, Observed is one to set
  print(traded.value)
  // 29. 'map' is unavailable: operators neither wait nor throw: map to a Result or use compactMap { try? … }; to wait, observe { await … } or for await … in stream()
  let first = traded.map { trade in try parse(trade) }
  // 30. 'filter' is unavailable: operators neither wait nor throw: use try? in the closure; to wait, observe { await … } or for await … in stream()
  let second = traded.filter { trade in await isLarge(trade) }
  // 31. 'compactMap' is unavailable: operators neither wait nor throw: use try? in the closure; to wait, observe { await … } or for await … in stream()
  let third = traded.compactMap { trade in try parse(trade) }
  _ = (first, second, third)
}

func sharing(_ traded: Event<Trade>, _ screen: Screen, _ ledger: Ledger) {
  // 32. type 'Ledger' does not conform to the 'Sendable' protocol
  let first = Event<Ledger>()
  // 33. type 'Ledger' does not conform to the 'Sendable' protocol
  let second = Observed(ledger)
  // 34. capture of 'ledger' with non-Sendable type 'Ledger' in a '@Sendable' closure
  let third = traded.observe { ledger.trades.append($0) }
  // 35. main actor-isolated property 'title' can not be mutated from a Sendable closure
  let fourth = traded.observe { @Sendable trade in screen.title = trade.symbol }
  // 36. capture of 'ledger' with non-Sendable type 'Ledger' in a '@Sendable' closure
  let fifth = Derived { ledger.trades.count }
  // 37. main actor-isolated property 'title' can not be referenced from a Sendable closure
  let sixth = Derived { @Sendable in screen.title }
  var count = 0
  // 38. mutation of captured var 'count' in concurrently-executing code
  let seventh = traded.observe { _ in count += 1 }
  // 39. 'set' is unavailable: this value is read-only: its owner sets the value that it shows
  traded.hold(Trade(price: 1)).set(Trade(price: 2))
  _ = (first, second, third, fourth, fifth, sixth, seventh)
}

func crossing(_ traded: Event<Trade>, _ pressed: LocalEvent<Trade>, _ selected: LocalObserved<Int>) {
  // 40. capture of 'pressed' with non-Sendable type 'LocalEvent<Trade>' in a '@Sendable' closure
  let first = traded.observe { pressed.emit($0) }
  // 41. capture of 'selected' with non-Sendable type 'LocalObserved<Int>' in a '@Sendable' closure
  let second = traded.observe { _ in selected.value = 3 }
  _ = (first, second)
}

func answering(_ closing: Hook<Trade, Bool, Never>, _ screen: Screen, _ ledger: Ledger) {
  // 42. type 'Ledger' does not conform to the 'Sendable' protocol
  let first = Hook<Ledger, Bool, Never>("opening")
  // 43. capture of 'ledger' with non-Sendable type 'Ledger' in a '@Sendable' closure
  let second = closing.handle { _ in ledger.trades.isEmpty }
  // 44. main actor-isolated property 'title' cannot be accessed from outside of the actor
  let third = closing.handle { @Sendable _ in screen.title.isEmpty }
  // 45. invalid conversion from throwing function of type '@Sendable (Trade) throws -> Bool' to non-throwing function type '@isolated(any) @Sendable (Trade) async -> Bool'
  let fourth = closing.handle { trade in try isBooked(trade) }
  _ = (first, second, third, fourth)
}

func isBooked(_ trade: Trade) throws -> Bool { true }
func book(_ trade: Trade) throws {}
func parse(_ trade: Trade) throws -> Int? { 1 }
func slow(_ trade: Trade) async {}
func isLarge(_ trade: Trade) async -> Bool { true }
func load() async -> Double { 1 }
