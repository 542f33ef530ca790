// swift-format-ignore-file: OnlyOneTrailingClosureArgument

// `once` and `.initial` with an owner, an error handler, a target and handlers that wait, in one call.

import Dispatch
import Tidings
import TidingsDispatch

struct Closed: Error {}
let opened = Event<Int>("market.opened")
let price = Observed(100.0, label: "market.price")
let target = DeliveryTarget.queue(.global())
@Sendable func begin(at time: Int) throws { print("open since", time) }
@Sendable func quote(_ price: Double) throws { print("at", price) }

final class Firm: Sendable {
  func begin(at time: Int) throws { if time < 9 { throw Closed() } }
  func quote(_ price: Double) throws { if price < 0 { throw Closed() } }
  func log(_ value: some Sendable) { print(value) }

  func follow() {
    opened.once(with: self, onError: { print($0) }) { firm, time in try firm.begin(at: time) }
    opened.once(on: .queue(.global()), with: self) { firm, time in firm.log(time) }
    opened.once(on: target, with: self, onError: { print($0) }) { firm, time in try firm.begin(at: time) }
    price.observe(.initial, with: self, onError: { print($0) }) { firm, change in try firm.quote(change.new) }
    price.observe(.initial, on: .queue(.global()), with: self) { firm, change in firm.log(change.new) }
  }
}

final class Files: Sendable {
  func open(at time: Int) async { await Task.yield() }
  func begin(at time: Int) async throws { if time < 9 { throw Closed() } }
  func store(_ price: Double) async { await Task.yield() }
  func save(_ price: Double) async throws { if price < 0 { throw Closed() } }
}

actor Archive {
  func open(at time: Int) async { await Task.yield() }
  func begin(at time: Int) async throws { if time < 9 { throw Closed() } }
  func store(_ price: Double) async { await Task.yield() }
  func save(_ price: Double) async throws { if price < 0 { throw Closed() } }

  func follow() {
    opened.once(with: self) { archive, time in await archive.open(at: time) }
    opened.once(with: self, onError: { print($0) }) { archive, time in try await archive.begin(at: time) }
    price.observe(.initial, with: self) { archive, change in await archive.store(change.new) }
    price.observe(.initial, with: self, onError: { print($0) }) { ledger, change in try await ledger.save(change.new) }
  }
}

let firm = Firm()
firm.follow()
opened.once(on: .queue(.global()), onError: { print($0) }) { time in try begin(at: time) }
price.observe(.initial, on: target, with: firm, onError: { print($0) }) { firm, change in try firm.quote(change.new) }
let archive = Files()
opened.once(with: archive) { archive, time in await archive.open(at: time) }
opened.once(with: archive, onError: { print($0) }) { archive, time in try await archive.begin(at: time) }
opened.once(onError: { print($0) }) { time in try await archive.begin(at: time) }
price.observe(.initial, with: archive) { archive, change in await archive.store(change.new) }
price.observe(.initial, with: archive, onError: { print($0) }) { archive, change in try await archive.save(change.new) }

var subscription: Subscription?
subscription = price.observe(.initial, on: target, onError: { print($0) }) { change in try quote(change.new) }
subscription = price.observe(.initial, buffering: .newest(1)) { change in await archive.store(change.new) }
subscription = price.observe(.initial, onError: { print($0) }) { change in try await archive.save(change.new) }
opened.emit(9)
price.set(101)
await opened.drained()
