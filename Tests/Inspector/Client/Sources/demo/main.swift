// The program that the inspector's tests run: `demo SECONDS [OBJECTS [leak]]` prints the address of its page.
import Foundation
import Tidings
import TidingsInspector

let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 30
let objects = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0
let leaks = CommandLine.arguments.dropFirst(3).first == "leak"
let inspector = Inspector(values: .shown)

struct Trade: Sendable {
  var symbol: String
  var price: Double
}
actor Archive {
  private(set) var count = 0
  func follow(_ traded: Event<Trade>) {
    traded.observe(with: self) { archive, _ in archive.count += 1 }
  }
}

/// The closure of `kept` keeps each cart alive: what is warned of. That of `released` captures what it reads.
@MainActor final class Cart {
  let quantity = Observed(1)
  lazy var kept = Derived("kept") { self.quantity.value * 2 }
  lazy var released = Derived("released") { [quantity] in quantity.value * 2 }
}

let traded = Event<Trade>("market.traded")
let halted = Event<Void>("market.halted")
let apple = Observed(200.0, label: "apple")
let amazon = Observed(70.0, label: "amazon")
let shares = Observed(10, label: "shares")
let portfolio = Derived("portfolio") { apple.value + amazon.value }
let worth = Derived("worth") { portfolio.value * Double(shares.value) }
let title = Derived("title") { "worth \(Int(worth.value))" }
// This value is recomputed with each price and hardly ever changes: the inspector warns about it.
let isRich = Derived("isRich") { apple.value > 100 }
let unread = Derived("unread") { apple.value * 2 }
let approve = Hook<Trade, Bool, Never>("market.approve")
let ping = Event<Int>("ping", maximumDepth: 50)
let pong = Event<Int>("pong", maximumDepth: 50)

var kept: [Subscription] = []
kept.append(title.observe { _ in })
kept.append(isRich.observe { _ in })
kept.append(traded.observe { trade in apple.set(trade.price) })
// Slow now and then: what is warned of.
kept.append(traded.observe { trade in if trade.price == 239 { usleep(12_000) } })
kept.append(approve.handle { $0.price < 1_000 })
kept.append(ping.observe { pong.emit($0 + 1) })
kept.append(pong.observe { ping.emit($0 + 1) })
let archive = Archive()
await archive.follow(traded)
// Nothing reads it: what is warned of.
let forgotten = traded.stream(buffering: .newest(16))
let crowd = (0..<objects).map { number in
  let source = Observed(number, label: "crowd \(number)")
  return (source, Derived("crowd \(number) doubled") { source.value * 2 })
}

let serving = Task {
  // Not `print`, which keeps it in a buffer when the output is a pipe.
  try await inspector.serve { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }
}

// A hundred trades a second, by the clock: an emit that comes late does not delay the others.
let start = ContinuousClock.now
for step in 0..<(seconds * 100) {
  traded.emit(Trade(symbol: "AAPL", price: 200 + Double(step % 40)))
  if step % 10 == 0 { amazon.set(70 + Double(step % 7)) }
  // One more each time, and none is cancelled: what is warned of.
  if step % 25 == 0 { kept.append(halted.observe { _ in }) }
  if leaks, step % 25 == 0 { (_, _) = (Cart().kept.value, Cart().released.value) }
  if step == 50 { ping.emit(0) }
  if step % 20 == 0 { _ = await approve.allows(Trade(symbol: "AAPL", price: 1)) }
  try await Task.sleep(until: start + .milliseconds(10 * (step + 1)))
}
serving.cancel()
