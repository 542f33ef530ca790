// The end of an event, and task-local values that travel with what is emitted.
import Tidings

enum Request {
  @TaskLocal static var id = 0
}
enum ServiceContext {
  @TaskLocal static var current: String?
}

actor Archive {
  private(set) var rows: [String] = []
  func store(_ row: String) { rows.append("\(row) for request \(Request.id)") }
}

carry(Request.$id)  // once, at the start
carry(ServiceContext.$current)

let (traded, priced) = (Event<String>("market.traded"), Event<Double>("market.priced"))
let archive = Archive()
let stored = traded.observe(with: archive) { archive, row in archive.store(row) }
Request.$id.withValue(7) { traded.emit("100 MSFT") }
await stored.drained()
print(await archive.rows)

traded.emit("200 AAPL")
traded.finish()
await traded.drained()  // every row is stored
print(await archive.rows.count)

priced.finish()
await priced.drained()
