// swift-format-ignore-file: OnlyOneTrailingClosureArgument

import Tidings

struct Order: Sendable {
  let symbol: String
  let quantity: Int
}
enum BookingError: Error {
  case nothing(of: String)
  case offline
}
actor Book {
  private(set) var rows: [String] = []
  private var attempts = 0

  func add(_ order: Order) throws(BookingError) {
    if order.quantity == 0 { throw .nothing(of: order.symbol) }
    rows.append("\(order.quantity) \(order.symbol)")
  }
  /// The first attempt finds no server.
  func send(_ order: Order) async throws(BookingError) {
    attempts += 1
    if attempts == 1 { throw .offline }
  }
}

let (ordered, failed, book) = (Event<Order>("firm.ordered"), Event<BookingError>("firm.failed"), Book())

// Every failure is an event of its own, to show or count them.
ordered.observe(with: book, onError: { failed.emit($0) }) { book, order throws(BookingError) in try book.add(order) }
ordered.observe(with: book, onError: { failed.emit($0) }) { book, order async throws(BookingError) in
  do throws(BookingError) {
    try await book.send(order)
  } catch {
    try await book.send(order)  // once more; what this throws reaches `onError`
  }
}
let shown = failed.observe { error in print("failed: \(error)") }
let failures = failed.reduce(into: 0) { count, _ in count += 1 }

for (symbol, quantity) in [("MSFT", 3), ("AAPL", 0), ("AMZN", 2)] {
  ordered.emit(Order(symbol: symbol, quantity: quantity))
}
await ordered.drained()
await failed.drained()
print("booked: \(await book.rows.joined(separator: ", "))")
print("failures: \(failures.value)")

// If the event itself reports failures, its payload is a result, and a loop throws the failure.
let answered = Event<Result<Int, BookingError>>("firm.answered")
let answers = answered.throwingStream()
answered.emit(.success(200))
answered.emit(.failure(.offline))
do {
  for try await status in answers { print("status \(status)") }
} catch {
  print("no more answers: \(error)")
}
