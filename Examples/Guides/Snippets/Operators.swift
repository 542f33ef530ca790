// The diagrams of the page Operators: each line is what a subscription received when this program ran. The name of a line is
// the source text that made it.
import Foundation
import Tidings

let program = try String(contentsOfFile: #filePath, encoding: .utf8).split(
  separator: "\n", omittingEmptySubsequences: false)

/// Values in columns, one for each step.
@MainActor final class Row {
  let name: String
  let current: (() -> String)?
  let last: ((Row) async -> Void)?
  var cells: [[String]]
  var token: Subscription?

  init(_ name: String, columns: Int, current: (() -> String)? = nil, last: ((Row) async -> Void)? = nil) {
    (self.name, self.current, self.last) = (name, current, last)
    cells = Array(repeating: [], count: columns)
  }
  func note(_ value: Any) { cells[cells.count - 1].append(text(value)) }
  func endStep() {
    if let token, !token.isActive, !cells.joined().contains("|") { note("|") }
    if let current { note(current()) }
  }
}

func text(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional { return mirror.children.first.map { text($0.value) } ?? "nil" }
  return "\(value)".replacing(", ", with: ",").replacing(/"|\w+: |\w+\.Problem\./, with: "")
}

/// The events that a diagram emits, and below them what is made of these events.
@MainActor final class Diagram {
  private var events: [ObjectIdentifier: Row] = [:]
  private var rows: [Row] = []

  init(_ names: KeyValuePairs<String, AnyObject>) {
    for (name, event) in names {
      let row = Row(name, columns: 1)
      rows.append(row)
      events[ObjectIdentifier(event)] = row
    }
  }
  /// Adds a row that is named by the argument on this line of the program.
  @discardableResult
  private func add(_ line: Int, current: (() -> String)? = nil, last: ((Row) async -> Void)? = nil) -> Row {
    let code = program[line - 1].trimmingPrefix(/.*?\.show\w*\((Task \{ )?/).dropLast()
    let name = code.hasPrefix("await ") ? code.dropLast(2) : code
    let row = Row(String(name), columns: rows[0].cells.count, current: current, last: last)
    rows.append(row)
    return row
  }

  /// Adds what a source delivers.
  func show(_ source: some EventSource, line: Int = #line) {
    let row = add(line)
    row.token = source.observe { @MainActor value in row.note(value) }
    row.endStep()
  }
  /// Adds what a value is after each step.
  func showValue(_ value: some ValueSource, line: Int = #line) { add(line, current: { text(value.value) }).endStep() }
  /// Adds what a loop takes from a stream after the last step.
  func showLoop<Stream: AsyncSequence>(_ stream: Stream, line: Int = #line) {
    add(
      line,
      last: { row in
        do {
          for try await element in stream { row.note(element) }
          row.note("|")
        } catch { row.note("✗ \(error)") }
      })
  }
  /// Adds what a task returns.
  func showResult(_ task: Task<Int?, Never>, line: Int = #line) {
    add(line, last: { row in row.note(await task.value as Any) })
  }

  func emit<Payload>(_ value: Payload, by event: Event<Payload>) { step(event, text(value)) { event.emit(value) } }
  func finish(_ event: Event<some Any>) { step(event, "|") { event.finish() } }
  private func step(_ event: AnyObject, _ text: String, _ act: () -> Void) {
    for row in rows { row.cells.append([]) }
    events[ObjectIdentifier(event)]?.note(text)
    act()
    for row in rows { row.endStep() }
  }

  /// Prints the rows, with equal columns.
  func end() async {
    for row in rows { await row.last?(row) }
    let texts = rows.map { row in [row.name + " "] + row.cells.map { $0.joined(separator: " ") } }
    let widths = texts[0].indices.map { column in texts.map { $0[column].count }.max() ?? 0 }
    for row in texts {
      let cells = zip(row, widths).filter { $1 > 0 }
      let line = cells.map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
      print(line.replacing(/\s+$/, with: ""))
    }
  }
}

@MainActor func transform() async {
  let numbers = Event<Int>()
  let diagram = Diagram(["numbers": numbers])
  diagram.show(numbers.map { $0 * 10 })
  diagram.show(numbers.compactMap { $0 == 2 ? nil : "n\($0)" })
  diagram.show(numbers.scan(0) { $0 + $1 })
  diagram.show(numbers.scan(into: []) { $0.append($1) })
  diagram.show(numbers.pairwise())
  diagram.show(numbers.collect(2))
  for number in [1, 2, 3] { diagram.emit(number, by: numbers) }
  diagram.finish(numbers)
  await diagram.end()
}

@MainActor func filter() async {
  let numbers = Event<Int>()
  let diagram = Diagram(["numbers": numbers])
  diagram.show(numbers.filter { $0 > 1 })
  diagram.show(numbers.removeDuplicates())
  diagram.show(numbers.removeDuplicates { $0 % 2 == $1 % 2 })
  diagram.show(numbers.dropFirst(2))
  diagram.show(numbers.drop { $0 < 3 })
  for number in [1, 1, 3, 2] { diagram.emit(number, by: numbers) }
  diagram.finish(numbers)
  await diagram.end()
}

@MainActor func combining() async {
  let (letters, digits) = (Event<String>(), Event<String>())
  let diagram = Diagram(["letters": letters, "digits": digits])
  diagram.show(letters.merge(digits))
  diagram.show(letters.zip(digits))
  diagram.show(letters.withLatest(from: digits))
  diagram.show(letters.startWith("x", "y"))
  diagram.emit("a", by: letters)
  diagram.emit("1", by: digits)
  diagram.emit("b", by: letters)
  diagram.emit("2", by: digits)
  diagram.emit("3", by: digits)
  diagram.finish(letters)
  diagram.finish(digits)
  await diagram.end()
}

@MainActor func switching() async {
  let (selected, a, b) = (Event<String>(), Event<Int>(), Event<Int>())
  let diagram = Diagram(["selected": selected, "a": a, "b": b])
  diagram.show(selected.flatMapLatest { $0 == "a" ? a : b })
  diagram.show(selected.map { $0 == "a" ? a : b }.switchToLatest())
  diagram.show(selected.flatMap { $0 == "a" ? a : b })
  diagram.show(selected.flatMap(maximum: 1) { $0 == "a" ? a : b })
  diagram.emit("a", by: selected)
  diagram.emit(1, by: a)
  diagram.emit(2, by: b)
  diagram.emit("b", by: selected)
  diagram.emit(3, by: a)
  diagram.emit(4, by: b)
  diagram.finish(a)
  diagram.finish(selected)
  diagram.emit(5, by: b)
  diagram.finish(b)
  await diagram.end()
}

@MainActor func sharing() async {
  let (numbers, calls) = (Event<Int>(), Observed(0))
  let diagram = Diagram(["numbers": numbers])
  let counted = numbers.handleEvents(onValue: { _ in calls.update { $0 += 1 } })
  let shared = counted.share()
  let recent = numbers.replay(2)
  diagram.show(shared)
  diagram.show(shared)
  diagram.showValue(calls)
  for number in [1, 2, 3] { diagram.emit(number, by: numbers) }
  diagram.show(recent)
  diagram.show(shared)
  diagram.emit(4, by: numbers)
  diagram.finish(numbers)
  await diagram.end()
}

@MainActor func printing() async {
  let numbers = Event<Int>()
  let subscription = numbers.print("numbers").filter { $0 > 1 }.observe { print("received \($0)") }
  numbers.emit(1)
  numbers.emit(2)
  subscription.cancel()
}

@MainActor func ending() async {
  let (numbers, closed) = (Event<Int>(), Event<String>())
  let diagram = Diagram(["numbers": numbers, "closed": closed])
  diagram.show(numbers.prefix(2))
  diagram.show(numbers.prefix { $0 < 3 })
  diagram.show(numbers.prefix(until: closed))
  for number in [1, 2, 3] { diagram.emit(number, by: numbers) }
  diagram.emit("now", by: closed)
  diagram.emit(1, by: numbers)
  diagram.finish(numbers)
  await diagram.end()
}

enum Problem: Error { case lost }
@MainActor func failing() async {
  let results = Event<Result<Int, Problem>>()
  let diagram = Diagram(["results": results])
  diagram.showLoop(results.throwingStream())
  diagram.show(results.compactMap { try? $0.get() })
  diagram.show(results.catch { $0 == .lost ? 0 : nil })
  diagram.emit(.success(1), by: results)
  diagram.emit(.failure(.lost), by: results)
  diagram.emit(.success(3), by: results)
  diagram.finish(results)
  await diagram.end()
}

@MainActor func values() async {
  let numbers = Event<Int>()
  let diagram = Diagram(["numbers": numbers])
  let latest = Observed(0)
  let subscription = numbers.assign(to: latest)
  defer { subscription.cancel() }
  diagram.showValue(numbers.hold(0))
  diagram.showValue(numbers.hold(nil))
  diagram.showValue(numbers.reduce(into: 0) { $0 += $1 })
  for number in [1, 2, 3] { diagram.emit(number, by: numbers) }
  diagram.finish(numbers)
  await diagram.end()
}

@MainActor func streams() async {
  let (numbers, dropped) = (Event<Int>(), Observed(0))
  let diagram = Diagram(["numbers": numbers])
  diagram.showLoop(numbers.stream())
  diagram.showLoop(numbers.stream(buffering: .newest(2)))
  diagram.showLoop(numbers.stream(buffering: .oldest(2), addingDropsTo: dropped))
  diagram.showValue(dropped)
  diagram.showLoop(numbers.stream(buffering: .newest(2)).numbered)
  diagram.showLoop(numbers.stream().batches(upTo: 2))
  diagram.showResult(Task { await numbers.next() })
  diagram.showResult(Task { await numbers.first { $0 > 1 } })
  while numbers.diagnostics.count < 7 { await Task.yield() }
  for number in [1, 2, 3] { diagram.emit(number, by: numbers) }
  diagram.finish(numbers)
  await diagram.end()
}

@MainActor func handlers() async {
  let numbers = Event<Int>()
  let subscription = numbers.observe { print("each: \($0)") }
  numbers.once { print("the first: \($0)") }
  numbers.emit(contentsOf: [1, 2])
  subscription.cancel()
}

await transform()
await filter()
await combining()
await switching()
await sharing()
await printing()
await ending()
await failing()
await values()
await streams()
await handlers()
