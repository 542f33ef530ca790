// The code that the documentation comments show, as one program.
import Tidings
import TidingsDispatch

struct Trade: Sendable {
  let symbol = "MSFT"
  let price: Double
  let quantity = 1
}
enum Key {
  case `return`
  case letter(Character)
}
@Sendable func archive(_ trade: Trade) throws {}
@Sendable func post(_ trade: Trade) {}

func events() {
  let traded = Event<Trade>("market.traded")  // .serial
  let pressed = Event<Key>("keyboard.pressed", policy: .immediate)
  var subscriptions: Set<Subscription> = []
  traded.observe { print($0) }.store(in: &subscriptions)
  let subscription = traded.observe { trade in print(trade) }
  traded.emit(Trade(price: 39.81))
  print(traded.diagnostics)
  withExtendedLifetime((pressed, subscription)) {}
}

@MainActor final class Document {
  func type(_ key: Key) {}
}
@MainActor func local(_ document: Document) {
  let pressed = LocalEvent<Key>("keyboard.pressed")
  let subscription = pressed.observe { key in document.type(key) }
  pressed.emit(.return)
  subscription.cancel()
}

struct Thermometer: EventSource {
  private let measured = Event<Double>("thermometer.measured")
  func attach(_ handler: EventHandler<Double>) -> Subscription { measured.attach(handler) }
}

@MainActor final class Ticker {
  var subscription: Subscription?
  func show(_ trade: Trade) {}
  func follow(_ traded: Event<Trade>) {
    traded.observe(with: self) { ticker, trade in ticker.show(trade) }
    subscription = traded.observe { trade in print(trade) }
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    subscription = traded.observe(onError: { print("not archived:", $0) }) { trade in try archive(trade) }
    subscription = traded.observe(on: .queue(.global())) { trade in post(trade) }
  }
}

actor Ledger {
  var trades: [Trade] = []
  func follow(_ traded: Event<Trade>) {
    traded.observe(with: self) { ledger, trade in ledger.trades.append(trade) }
  }
}

func operators(_ traded: Event<Trade>, _ opened: Event<String>, _ closed: Event<String>, _ renamed: Event<String>) {
  let subscription = traded.filter { $0.price > 100 }.map { $0.symbol }.observe { print($0) }
  let dear: AnyEventSource<String> = traded.filter { $0.price > 100 }.map(\.symbol)
  let volume = traded.scan(0) { total, trade in total + trade.quantity }
  let activity = opened.merge(closed, renamed)
  opened.once { print("open since \($0)") }
  withExtendedLifetime((subscription, dear, volume, activity)) {}
}

events()
local(Document())
