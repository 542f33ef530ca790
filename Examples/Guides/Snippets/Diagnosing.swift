import Tidings

let traded = Event<Int>("market.traded")
let priced = Event<Int>("market.priced")

// Print what exists: the label, the subscriptions, the waiting and the dropped values.
let stream = traded.stream(buffering: .newest(2))
let token = traded.observe { _ in }
traded.emit(contentsOf: 1...5)
print(traded)
print(token)
print(stream)

// Print the values that pass.
do {
  let watched = traded.filter { $0 > 6 }.print("above 6").observe { _ in }
  traded.emit(contentsOf: [6, 7])
  watched.cancel()
}

// Report a rejected cycle: two handlers cause each other.
let reports = Diagnostics.reports.observe { report in print("cycle: " + report.labels.joined(separator: " → ")) }
let first = traded.observe { priced.emit($0) }
let second = priced.observe { traded.emit($0) }
traded.emit(8)
await Diagnostics.reports.drained()

// Print what remains: only the stream that this program keeps.
first.cancel()
second.cancel()
token.cancel()
print("\(traded.diagnostics.count) subscription, \(traded.droppedCount > 3 ? "many" : "few") values dropped for it")
