#if SQLite && NATS && os(Linux)
import Foundation

/// Starts the processes, kills them, changes their store, and ends them; the oracle says whether what they did is sound.
final class Harness {
  private struct Slot {
    let kind: Role.Kind
    var child: Child?
    var record: Record?
    var startsAt: Moment = 0
    /// When it was asked to end.
    var asked: Moment?
  }
  private static let staff: [Role.Kind] = [
    .writer, .writer, .reader, .reader, .reader, .observer, .observer, .value, .value,
  ]
  private let store: any Store
  private let folder: String
  private let plan: Plan
  private let oracle: Oracle
  private var slots = Harness.staff.map { Slot(kind: $0) }
  private var brokerStartsAt: Moment?
  private var started = 0
  private var kills: [String: Int] = [:]
  private var ends = 0
  private let clock: [String: String]

  init(_ store: any Store, in folder: String, minutes: Double, seed: UInt64) {
    (self.store, self.folder) = (store, folder)
    plan = Plan(seconds: minutes * 60, slots: Self.staff.count + (store is BrokerStore ? 2 : 0), seed: seed)
    oracle = Oracle(isFile: store is FileStore)
    let library = ProcessInfo.processInfo.environment["TIDINGS_CLOCK_LIBRARY"]
    clock = library.map { ["LD_PRELOAD": $0, "TIDINGS_CLOCK": folder + "/clock"] } ?? [:]
  }

  func run() throws -> Bool {
    if clock.isEmpty { say("the clock is not moved: TIDINGS_CLOCK_LIBRARY is not set") }
    setClock(0)
    try store.prepare()
    let began = now()
    for act in plan.acts {
      try wait(until: began + act.time)
      try perform(act, after: now() - began)
    }
    try finish()
    let killed = kills.sorted { $0.key < $1.key }.map { "\($1) \($0)" }.joined(separator: ", ")
    say("\(kills.values.reduce(0, +)) kills (\(killed)), \(ends) ends")
    return oracle.report()
  }

  private func perform(_ act: Plan.Act, after time: Moment) throws {
    switch act.what {
    case .kill(let number, let pause): try kill(number, pause)
    case .end(let number):
      guard let index = running(from: number), slots[index].asked == nil else { return }
      slots[index].child?.end()
      slots[index].asked = now()
      ends += 1
    case .clock(let offset): setClock(offset)
    case .copy:
      try startBrokerNow()
      try store.copy()
    case .empty(let round):
      try startBrokerNow()
      oracle.disturbances.append(try store.empty(round))
    case .restore(let round):
      try startBrokerNow()
      oracle.disturbances.append(try store.restore(round))
    }
    switch act.what {
    case .kill, .end: break
    default: say("\(time / 1_000_000) s: \(act.what)")
    }
  }

  /// A process that runs, the first from a place on.
  private func running(from number: Int) -> Int? {
    (0..<slots.count).map { (number + $0) % slots.count }.first { slots[$0].child != nil }
  }
  private func kill(_ number: Int, _ pause: Moment) throws {
    if number >= slots.count, let broker = store.broker {
      if brokerStartsAt != nil { return }
      broker.kill()
      kills["broker", default: 0] += 1
      // It is away for a moment, or, one time in four, for longer than any request waits.
      brokerStartsAt = now() + pause * (pause > .seconds(0.6) ? 12 : 2)
    } else if let index = running(from: number), let child = slots[index].child, !child.hasExited {
      child.kill()
      slots[index].record?.killed = now()
      kills[slots[index].kind.rawValue, default: 0] += 1
      left(index, pause)
    }
  }
  private func left(_ index: Int, _ pause: Moment) {
    slots[index].record?.ended = now()
    (slots[index].child, slots[index].record, slots[index].asked) = (nil, nil, nil)
    slots[index].startsAt = now() + pause
  }
  /// The clock of all processes but the broker.
  private func setClock(_ seconds: Int64) {
    let file = open(folder + "/clock", O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    withUnsafeBytes(of: seconds) { _ = write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  // MARK: Processes
  private func start(_ kind: Role.Kind) throws -> (Child, Record) {
    started += 1
    let name = "\(kind.rawValue)-\(started)"
    let part = "\(kind.rawValue) \(name) \(store.place) \(folder)"
    let child = try Child(
      CommandLine.arguments[0], [], output: "\(folder)/\(name).out",
      environment: clock.merging(["TIDINGS_PART": part]) { $1 })
    return (child, oracle.add(name, kind, log: "\(folder)/\(name).log"))
  }

  private func startBrokerNow() throws {
    if brokerStartsAt != nil { try store.startBroker() }
    brokerStartsAt = nil
  }

  private func wait(until time: Moment) throws {
    repeat {
      try poll()
      usleep(20_000)
    } while now() < time
  }
  /// - Parameter starts: Whether processes that have ended are replaced.
  private func poll(starts: Bool = true) throws {
    if let time = brokerStartsAt, time <= now() { try startBrokerNow() }
    if brokerStartsAt == nil, let broker = store.broker, broker.hasExited {
      oracle.brokerEnds += 1
      try store.startBroker()
    }
    for index in slots.indices {
      if let child = slots[index].child {
        if child.hasExited {
          check(slots[index], child)
          left(index, .seconds(0.2))
        } else if let asked = slots[index].asked, now() - asked > .seconds(30) {
          oracle.fault("\(slots[index].record?.name ?? "") did not end within 30 s")
          child.kill()
          left(index, 0)
        }
      } else if starts, slots[index].startsAt <= now() {
        let (child, record) = try start(slots[index].kind)
        (slots[index].child, slots[index].record) = (child, record)
      }
    }
    oracle.read()
  }
  private func check(_ slot: Slot, _ child: Child) {
    if child.status == 0, slot.asked != nil { return }
    let name = slot.record?.name ?? ""
    let output = (try? String(contentsOfFile: "\(folder)/\(name).out", encoding: .utf8)) ?? ""
    oracle.fault("\(name) ended with status \(child.status ?? -1): \(output.suffix(1_000))")
  }

  // MARK: The end
  private func finish() throws {
    try startBrokerNow()
    try wait(.seconds(40), starts: true) { slots.allSatisfy { $0.record?.ready != nil && $0.asked == nil } }
    try wait(until: now() + .seconds(2))
    try end { $0 == .writer }
    for slot in slots { slot.record?.isLast = true }
    try wait(.seconds(60)) { oracle.unhandled.isEmpty && oracle.holes(of: slots.compactMap(\.record)).isEmpty }
    for slot in slots where slot.kind == .value { slot.child?.quiet() }
    try wait(.seconds(30)) { oracle.values(of: slots.compactMap(\.record)) != nil }
    let (audit, record) = try start(.audit)
    try wait(.seconds(30)) { audit.hasExited }
    record.ended = now()
    oracle.read()
    if audit.status != 0 || record.value == nil { oracle.fault("the audit did not end") }
    oracle.compare(slots.compactMap(\.record), record)
    try end { _ in true }
  }
  private func wait(_ limit: Moment, starts: Bool = false, until isDone: () -> Bool) throws {
    let end = now() + limit
    while now() < end {
      try poll(starts: starts)
      if isDone() { return }
      usleep(200_000)
    }
  }
  private func end(_ isMeant: (Role.Kind) -> Bool) throws {
    for index in slots.indices where isMeant(slots[index].kind) {
      slots[index].child?.end()
      if slots[index].asked == nil { slots[index].asked = now() }
    }
    try wait(.seconds(40)) { !slots.contains { isMeant($0.kind) && $0.child != nil } }
  }
}
#endif
