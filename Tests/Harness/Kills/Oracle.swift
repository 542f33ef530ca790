#if SQLite && NATS && os(Linux)
import Foundation

/// Reads the logs of all processes, and compares what was acknowledged with what was handled, seen and settled.
final class Oracle {
  private struct Message {
    let begun: Moment
    var acknowledged: Moment?
  }
  var disturbances: [Disturbance] = []
  var brokerEnds = 0
  private let isFile: Bool
  private var records: [Record] = []
  private var messages: [String: Message] = [:]
  private var handled: [String: Int] = [:]
  /// The messages that were acknowledged and are yet to be handled.
  private var open: Set<String> = []
  private var finalSum: Int?
  private var faults = 0
  init(isFile: Bool) { self.isFile = isFile }

  func fault(_ text: String) {
    faults += 1
    if faults <= 40 { say("✘ \(text)") }
  }

  func add(_ name: String, _ kind: Role.Kind, log: String) -> Record {
    let record = Record(name, kind, LogReader(log))
    records.append(record)
    return record
  }

  // MARK: Reading
  func read() {
    for record in records where !record.isRead {
      record.log.read { moment, words in take(record, moment, words) }
      if record.ended != nil {
        record.isRead = true
        record.log.close()
      }
    }
  }

  private func take(_ record: Record, _ moment: Moment, _ words: [Substring]) {
    let rest = words.dropFirst()
    func numbers() -> ClosedRange<Int> {
      let numbers = rest.compactMap { Int($0) }
      return numbers.count == 2 ? numbers[0]...numbers[1] : 0...0
    }
    switch words[0] {
    case "ready": record.ready = moment
    case "closing": record.closing = moment
    case "closed": record.closed = moment
    case "failure": report(rest.joined(separator: " "), record, moment)
    case "send":
      for number in numbers() where messages["\(record.name).\(number)"] == nil {
        messages["\(record.name).\(number)"] = Message(begun: moment)
      }
    case "ack":
      for number in numbers() {
        let id = "\(record.name).\(number)"
        messages[id]?.acknowledged = moment
        if handled[id] == nil { open.insert(id) }
      }
    case "done":
      guard let id = rest.first.map(String.init) else { return }
      handled[id, default: 0] += 1
      open.remove(id)
    case "seen": if let id = rest.first { record.see(id, at: moment) }
    case "live": if let id = rest.first { record.seeLive(id) }
    case "missed": record.missed += rest.first.flatMap { Int($0) } ?? 0
    case "add": record.adds.append(moment)
    case "settled": record.settled.append((rest.first.flatMap { Int($0) } ?? 0, moment))
    case "value": record.value = rest.joined(separator: " ")
    case "dead", "broken": fault(words.joined(separator: " "))
    default: break
    }
  }

  private func report(_ text: String, _ record: Record, _ moment: Moment) {
    record.reports[text.replacing(/[0-9]+/, with: "#"), default: 0] += 1
    if ["than before", "older value", "missed"].contains(where: { text.contains($0) }) { record.told.append(moment) }
  }

  // MARK: Messages
  /// The acknowledged messages that are not handled, and that no change of the store may have lost.
  var unhandled: [String] { open.filter { id in messages[id].map { !isExcused($0) } ?? true }.sorted() }
  private func isExcused(_ message: Message) -> Bool {
    disturbances.contains { $0.isOfMessages && $0.mayLose(message.begun, message.acknowledged ?? .max) }
  }

  /// The messages that observers have not received though they should have.
  func holes(of records: [Record]) -> [String] {
    let sorted = messages.sorted { $0.value.begun < $1.value.begun }
    return records.filter { $0.kind == .observer }.flatMap { holes(of: $0, in: sorted) }
  }
  /// Without those after the last one of the same writer, where the observer ended while that was sending: they may have been on
  /// their way.
  private func holes(of record: Record, in sorted: [(key: String, value: Message)]) -> [String] {
    guard let first = record.firstSeen else { return [] }
    let (isKilled, last) = (record.killed != nil, record.closing ?? record.ended ?? .max)
    let meant = sorted.drop { $0.value.begun <= first }.prefix { $0.value.begun < last }
    return meant.compactMap { id, message in
      guard let acknowledged = message.acknowledged, acknowledged < last, !record.seen.contains(id) else { return nil }
      let (writer, number) = Record.parts(of: id)
      if !record.isLast, number > record.last[writer] ?? 0 { return nil }
      let isTold = disturbances.contains { change in
        change.isOfMessages && acknowledged > change.start - .seconds(5) && message.begun < change.end + .seconds(5)
          && (isKilled || record.told.contains { $0 >= change.start })
      }
      return isTold ? nil : "\(record.name) has not received \(id)"
    }
  }

  // MARK: Values
  /// The values that all of them show; nil if they differ, or have yet to show them.
  func values(of records: [Record]) -> String? {
    let values = Set(records.filter { $0.kind == .value }.map(\.value))
    return values.count == 1 ? values.first ?? nil : nil
  }
  func compare(_ running: [Record], _ audit: Record) {
    let values = running.filter { $0.kind == .value }.map { "\($0.name) \($0.value ?? "is not settled")" }
    guard let value = self.values(of: running), value == audit.value else {
      return fault("the values differ: \(values), in the store \(audit.value ?? "none")")
    }
    finalSum = value.split(separator: " ").first.flatMap { Int($0) }
  }

  /// The additions that must be in the sum, and those that may be.
  private func sumBounds() -> ClosedRange<Int> {
    let changes = disturbances.filter(\.isOfValues)
    var (least, most) = (0, 0)
    for record in records {
      var settled = record.settled[...]
      for (index, begun) in record.adds.enumerated() {
        while let first = settled.first, first.count <= index { settled.removeFirst() }
        let stored = settled.first?.at
        // A process that has yet to notice a change may write over what another one has stored since.
        if let stored, !changes.contains(where: { $0.mayLose(begun - .seconds(5), stored) }) { least += 1 }
        if let stored, changes.contains(where: { $0.loses(begun, stored) }) { continue }
        most += 1
      }
    }
    return least...max(least, most)
  }

  // MARK: The verdict
  /// Says what there was, and what was wrong.
  ///
  /// - Returns: Whether nothing was.
  func report() -> Bool {
    read()
    for id in unhandled.prefix(10) { fault("\(id) was acknowledged and not handled") }
    for hole in holes(of: records).prefix(10) { fault(hole) }
    let bounds = sumBounds()
    if let finalSum, !bounds.contains(finalSum) { fault("the sum is \(finalSum), not in \(bounds)") }
    for record in records { check(record) }
    if !records.contains(where: { $0.kind == .value && !$0.told.isEmpty }) {
      fault("no process has reported that the store holds older values")
    }
    let lost = open.count - unhandled.count
    let again = handled.values.reduce(0) { $0 + $1 - 1 }
    let closes: [Moment] = records.compactMap { record in
      record.closing.flatMap { from in record.closed.map { $0 - from } }
    }
    let missed = records.reduce(0) { $0 + $1.missed }
    let acknowledged = messages.values.count { $0.acknowledged != nil }
    let seen = records.reduce(0) { $0 + $1.seen.count }
    say("\(acknowledged) messages acknowledged, \(handled.count) handled, \(again) again")
    say("\(lost) lost with the changes of the store: \(disturbances.map(\.what).joined(separator: ", "))")
    say("\(seen) observed, \(missed) live ones missed; sum \(finalSum ?? 0) in \(bounds)")
    say("\(closes.count) closes, the longest of \(Double(closes.max() ?? 0) / 1_000_000) s")
    if brokerEnds > 0 { say("the broker ended itself \(brokerEnds) times") }
    var reports: [String: Int] = [:]
    for record in records { reports.merge(record.reports, uniquingKeysWith: +) }
    say("\(reports.values.reduce(0, +)) reports:")
    for (text, count) in reports.sorted(by: { $0.value > $1.value }).prefix(25) {
      say("  \(count) × \(text.prefix(160))")
    }
    say(faults == 0 ? "✔ sound" : "✘ \(faults) faults")
    return faults == 0
  }

  private func check(_ record: Record) {
    if let closing = record.closing, record.killed == nil {
      let time = (record.closed ?? .max) - closing
      if time > .seconds(5) { fault("\(record.name): close() took \(time / 1_000) ms") }
    }
    let (ready, ended): (Moment, Moment) = (record.ready ?? .max, record.ended ?? .max)
    let changes = disturbances.filter { $0.isOfMessages && ready < $0.end && ended > $0.start }
    if changes.isEmpty, record.repeats > 0 { fault("\(record.name) received \(record.repeats) messages twice") }
    if changes.isEmpty, !record.disorder.isEmpty { fault("\(record.name): out of order: \(record.disorder.prefix(5))") }
    if record.killed == nil, record.gaps > record.missed {
      fault("\(record.name): \(record.gaps) live messages did not arrive, \(record.missed) were reported")
    }
    // Through a broker only those that read a stream learn that it was changed. A second report within a minute is counted.
    guard isFile ? record.kind != .audit : record.kind == .observer,
      let first = changes.first(where: { record.lives(at: $0.start, for: 5) })
    else { return }
    if !record.told.contains(where: { $0 >= changes[0].start }) {
      fault("\(record.name) did not report: \(first.what)")
    }
  }
}
#endif
