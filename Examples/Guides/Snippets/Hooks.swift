// Questions that handlers answer: what the guide and the documentation comments of hooks show, as one program.
import Tidings

struct Trade: Sendable {
  let symbol: String
  let price: Double
  init(_ symbol: String, price: Double) {
    self.symbol = symbol
    self.price = price
  }
}
struct Veto: Error {
  let reason: String
}
struct Document: Sendable {
  var isSaved = true
}

// Asked of all
actor Firm {
  private var limit = 500.0
  func accepts(_ trade: Trade) -> Bool {
    limit -= trade.price
    return limit >= 0
  }
}
func approving(_ trade: Trade, _ firm: Firm) async throws(Veto) {
  let approve = Hook<Trade, Bool, Veto>("market.approve")
  let subscription = approve.handle { trade in trade.price < 1_000 }
  approve.handle(with: firm) { firm, trade in firm.accepts(trade) }
  let closed = approve.handle { trade throws(Veto) in
    if trade.symbol == "ENRN" { throw Veto(reason: "not traded any more") }
    return true
  }

  let answers = try await approve(trade)
  print(answers)
  try await again(approve, trade)
  await subscription.finish()
  closed.cancel()
}

func again(_ approve: Hook<Trade, Bool, Veto>, _ trade: Trade) async throws(Veto) {
  let answers = try await approve.all(trade)
  print(answers.count)
}
actor Ledger {
  private var funds = 10_000.0
  func covers(_ trade: Trade) -> Bool { trade.price <= funds }
  func watch(_ approve: Hook<Trade, Bool, Veto>) {
    approve.handle(with: self) { ledger, trade in ledger.covers(trade) }
  }
}

// As many as it takes
func asking() async {
  let quotes = Hook<String, Double, Never>("broker.quotes")
  let offers = Hook<String, Int, Never>("broker.offers")
  let brokers = [39.81, 40.2].map { price in quotes.handle { _ in price } }
  let sellers = [60, 70, 80].map { shares in offers.handle { _ in shares } }

  let quote = await quotes.first("MSFT") { $0 < 40 }
  let shares = await offers.reduce("MSFT", into: 0) { sum, offered in
    sum += offered
    return sum < 100
  }
  print(quote ?? 0, shares)
  withExtendedLifetime((brokers, sellers)) {}
}

// May I?
func closing(_ document: Document) async {
  let mayClose = Hook<Document, Bool, Never>("document.mayClose")
  let subscription = mayClose.handle { document in document.isSaved }
  guard await mayClose.allows(document) else { return }
  print("closed")
  subscription.cancel()
}

// In place
@MainActor final class Field {
  private let mayType = LocalHook<Character, Bool, Never>("field.mayType")
  private var subscription: LocalSubscription?
  private(set) var text = ""

  func digitsOnly() {
    subscription = mayType.handle { $0.isNumber }
  }
  func type(_ character: Character) {
    if mayType.allows(character) { text.append(character) }
  }
}
func type(_ character: Character) { print(character) }
func local() {
  let mayType = LocalHook<Character, Bool, Never>("field.mayType")
  let subscription = mayType.handle { $0.isNumber }
  if mayType.allows("7") { type("7") }
  subscription.cancel()
}

let firm = Firm()
do throws(Veto) {
  try await approving(Trade("MSFT", price: 39.81), firm)
  try await approving(Trade("ENRN", price: 0.26), firm)
} catch {
  print("no:", error.reason)
}
await asking()
await closing(Document())
local()
let field = Field()
field.digitsOnly()
for character in "1a2" { field.type(character) }
print(field.text)
