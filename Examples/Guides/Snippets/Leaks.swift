import Tidings

let ticked = Event<Int>("ticked")

/// Right: the handler is given its owner, which nothing keeps.
final class Chart: Sendable {
  func draw(_ tick: Int) { print("chart \(tick)") }
  func follow(_ ticked: Event<Int>) {
    ticked.observe(with: self) { chart, tick in chart.draw(tick) }
  }
}

/// Right: the object keeps its subscription, and the closure keeps the object weakly.
@MainActor final class Label {
  private var text = ""
  private var subscriptions: Set<Subscription> = []
  func follow(_ ticked: Event<Int>) {
    ticked.observe { [weak self] tick in self?.text = "\(tick)" }.store(in: &subscriptions)
  }
}

/// Right: an actor is handed over isolated. In an actor `[weak self]` would take the closure out of it.
actor Ledger {
  private var ticks: [Int] = []
  func follow(_ ticked: Event<Int>) {
    ticked.observe(with: self) { ledger, tick in ledger.ticks.append(tick) }
  }
}

/// Wrong: the actor keeps the subscription, whose handler keeps the actor. Both live until the event ends.
actor Archive {
  private var ticks: [Int] = []
  private var subscriptions: Set<Subscription> = []
  func follow(_ ticked: Event<Int>) {
    ticked.observe { tick in self.ticks.append(tick) }.store(in: &subscriptions)
  }
}

@MainActor final class Cart {
  let quantity = Observed(1)
  let price = Observed(10)
  /// The closure captures what it reads, and not the cart.
  let total: Derived<Int>
  /// The same for a lazy property.
  private(set) lazy var tax = Derived { [total] in total.value / 5 }
  init() { total = Derived { [quantity, price] in quantity.value * price.value } }
}

weak var lastArchive: Archive?
do {
  let (chart, label, ledger, archive) = (Chart(), Label(), Ledger(), Archive())
  lastArchive = archive
  chart.follow(ticked)
  label.follow(ticked)
  await ledger.follow(ticked)
  await archive.follow(ticked)
  await ticked.emitAndWait(1)
  print(ticked)
}
// The four have no other reference. That an owner was deinitialized is detected at a later value.
while ticked.diagnostics.count > 1 { await ticked.emitAndWait(2) }
print(ticked)
print("the archive is \(lastArchive == nil ? "deinitialized" : "alive")")
ticked.cancelAll()
while lastArchive != nil { await Task.yield() }
print("the archive is deinitialized")
