// A program that uses what the core compiles into its clients, for .ci/ways. Each comment is what the line before it prints.
import Tidings

struct Trade: Sendable {
  var symbol: String
  var price: Int
}
enum Refusal: Error { case tooMuch }
actor Ledger {
  private(set) var entries: [Int] = []
  func add(_ entry: Int) { entries.append(entry) }
}

// Values
let price = Observed(10)
let quantity = Observed(2)
let total = Derived { price.value * quantity.value }
let totals = total.observe(.initial) { change in print("total \(change.new)") }
// prints total 20
transaction {
  price.set(20)
  quantity.set(3)
}
// prints total 60
price.update { $0 += 1 }
// prints total 63
let shown = effect { print("price \(price.value)") }
// prints price 21

// Events
let traded = Event<Trade>("traded")
let symbols = traded.filter { $0.price > 1 }.map(\.symbol).removeDuplicates().observe { print("symbol \($0)") }
let highest = traded.map(\.price).scan(0) { max($0, $1) }.hold(0)
traded.emit(Trade(symbol: "A", price: 5))
// prints symbol A
traded.emit(Trade(symbol: "A", price: 9))
print("highest \(highest.value)")
// prints highest 9
let ledger = Ledger()
let booked = traded.observe(with: ledger) { ledger, trade in ledger.add(trade.price) }
await traded.emitAndWait(Trade(symbol: "B", price: 7))
// prints symbol B
print("entries \(await ledger.entries)")
// prints entries [7]

// Streams
let numbers = Event<Int>()
let latest = numbers.stream(buffering: .newest(2))
numbers.emit(contentsOf: [1, 2, 3])
numbers.finish()
for await number in latest { print("number \(number)") }
// prints number 2
// prints number 3
print("dropped \(latest.droppedCount)")
// prints dropped 1

// Hooks
let asked = Hook<Int, Int, Refusal>("asked")
let answered = asked.handle { amount throws(Refusal) in
  if amount > 5 { throw Refusal.tooMuch }
  return amount * 2
}
print("answers \(try await asked(3))")
// prints answers [6]
do { print("answers \(try await asked(9))") } catch { print("refused \(error)") }
// prints refused tooMuch

// One isolation
let local = LocalEvent<[Int]>()
let heard = local.observe { print("local \($0)") }
local.emit([1, 2])
// prints local [1, 2]
let volume = LocalObserved(1)
let louder = volume.observe { change in print("volume \(change.old ?? 0) to \(change.new)") }
volume.value += 1
// prints volume 1 to 2
withExtendedLifetime((totals, shown, symbols, booked, answered, heard, louder)) {}
