import Tidings

let traded = Event<Int>("market.traded")
let priced = Event<Int>("market.priced")

// What there is: label, subscriptions, what waits and what was dropped.
let stream = traded.stream(buffering: .newest(2))
let token = traded.observe { _ in }
traded.emit(contentsOf: 1...5)
print(traded)
print(token)
print(stream)

// What passes: an operator that prints.
do {
  let watched = traded.filter { $0 > 6 }.print("above 6").observe { _ in }
  traded.emit(contentsOf: [6, 7])
  watched.cancel()
}

// What was stopped: handlers that cause each other.
let reports = Diagnostics.reports.observe { report in print("cycle: " + report.labels.joined(separator: " → ")) }
let first = traded.observe { priced.emit($0) }
let second = priced.observe { traded.emit($0) }
traded.emit(8)
await Diagnostics.reports.drained()

// What is left: nothing but what this program keeps.
first.cancel()
second.cancel()
token.cancel()
print("\(traded.diagnostics.count) subscription, \(traded.droppedCount > 3 ? "many" : "few") values dropped for it")
