// swift-format-ignore-file: OnlyOneTrailingClosureArgument

// The arguments that `observe` and `once` take, in every combination that the documentation comments show.
import Tidings
import TidingsDispatch

struct Trade: Sendable {
  let price: Double
}
@Sendable func archive(_ trade: Trade) throws {}
@Sendable func log(_ number: Double) {}
@Sendable func begin(at time: Double) throws {}
@Sendable func quote(_ price: Double) throws {}

actor Archive {
  func store(_ trade: Trade) {}
  func open(at time: Double) {}
}
actor Store {
  func upload(_ trade: Trade) async {}
  func save(_ trade: Trade) async throws {}
}

final class Firm: Sendable {
  func begin(at time: Double) {}
  func quote(_ price: Double) {}

  func follow(_ opened: Event<Double>, _ price: Observed<Double>) {
    opened.once(with: self) { firm, time in firm.begin(at: time) }
    price.observe(.initial, with: self) { firm, change in firm.quote(change.new) }
  }
}
actor CarefulDesk {
  func quote(_ price: Double) throws {}

  func follow(_ price: Observed<Double>) {
    price.changes(.initial).observe(with: self, onError: { print($0) }) { firm, change in try firm.quote(change.new) }
  }
}

final class Ticker: Sendable {
  func post(_ trade: Trade) {}
  func follow(_ traded: Event<Trade>) {
    traded.observe(on: .queue(.global()), with: self) { ticker, trade in ticker.post(trade) }
  }
}
actor Ledger {
  func book(_ trade: Trade) throws {}
  func follow(_ traded: Event<Trade>) {
    traded.observe(with: self, onError: { print($0) }) { ledger, trade in try ledger.book(trade) }
  }
}
final class Journal: Sendable {
  func book(_ trade: Trade) throws {}
  func follow(_ traded: Event<Trade>, on target: DeliveryTarget) {
    traded.observe(on: target, with: self, onError: { print($0) }) { journal, trade in try journal.book(trade) }
  }
}
actor SlowLedger {
  private let store = Store()
  func book(_ trade: Trade) async { await store.upload(trade) }
  func save(_ trade: Trade) async throws { try await store.save(trade) }
  func follow(_ traded: Event<Trade>) {
    traded.observe(with: self) { ledger, trade in await ledger.book(trade) }
    traded.observe(with: self, onError: { print($0) }) { ledger, trade in try await ledger.save(trade) }
  }
}

func combinations(
  _ traded: Event<Trade>, _ opened: Event<Double>, _ price: Observed<Double>, _ archive: Archive, _ store: Store
) {
  var subscription: Subscription
  subscription = traded.observe(buffering: .newest(100)) { trade in await archive.store(trade) }
  subscription = traded.observe(onError: { print("not stored:", $0) }) { trade in try await store.save(trade) }
  traded.observe(with: store) { store, trade in await store.upload(trade) }
  traded.observe(with: store, onError: { print($0) }) { store, trade in try await store.save(trade) }
  opened.once(onError: { print($0) }) { time in try begin(at: time) }
  opened.once(on: .queue(.global())) { time in log(time) }
  opened.once { time in await archive.open(at: time) }
  subscription = price.observe(.initial, onError: { print($0) }) { change in try quote(change.new) }
  subscription = price.observe(.initial, on: .queue(.global())) { change in log(change.new) }
  subscription.cancel()
}
func onTargets(_ traded: Event<Trade>) {
  let subscription: Subscription
  subscription = traded.observe(on: .queue(.global()), onError: { print($0) }) { trade in try archive(trade) }
  subscription.cancel()
}
