import TidingsTesting

@testable import TidingsRemote

/// Several processes write one value through a store with revisions, over a network that loses requests and answers and delivers
/// requests late. One run is one seed.
struct ValueSynchronizerSimulation {
  enum Kind: CaseIterable {
    /// Each process adds; the merge keeps every addition.
    case adding
    /// Each process sets other values; the last to write wins.
    case settingLatest
    /// The same; the first to write wins.
    case settingTheirs
    /// As `settingLatest`; processes are killed and start again with nothing but the store.
    case restarting
  }
  private struct Process {
    var synchronizer: ValueSynchronizer<Int>
    var lastRevision: UInt64 = 0
  }
  private struct Request {
    let body: ValueSynchronizer<Int>.Stored
    let expected: UInt64
  }
  private let kind: Kind
  private var random: SplitMix64
  private var processes: [Process] = []
  private var stored: ValueSynchronizer<Int>.Stored?
  private var late: [Request] = []
  private var sum = 0
  private var written: Set<Int> = [0]
  private var lastWritten = 0
  private var writers = 0
  private var problem: String?
  private let rule: ConflictRule<Int>

  init(seed: UInt64, _ kind: Kind) {
    self.kind = kind
    random = SplitMix64(seed)
    rule =
      switch kind {
      case .adding: .merge { base, mine, theirs in theirs + mine - base }
      case .settingLatest, .restarting: .latest
      case .settingTheirs: .theirs
      }
    for _ in 0..<(1 + random.number(below: 4)) { processes.append(makeProcess()) }
  }

  private mutating func makeProcess() -> Process {
    writers += 1
    return Process(synchronizer: ValueSynchronizer(0, writer: "w\(writers)"))
  }

  /// Runs the given number of steps, and returns what is wrong at the end, or nil.
  mutating func run(steps: Int) -> String? {
    for _ in 0..<steps {
      let index = random.number(below: processes.count)
      if random.isOne(in: 4) { arriveLate() }
      switch random.number(below: 5) {
      case 0: edit(index)
      case 1, 2: write(index, isReliable: false)
      case 3 where kind == .restarting && random.isOne(in: 8): processes[index] = makeProcess()
      default: read(index)
      }
    }
    while !late.isEmpty { arriveLate() }
    for _ in 0..<50 {
      for index in processes.indices {
        read(index)
        write(index, isReliable: true)
      }
    }
    return problem ?? verdict()
  }

  private mutating func edit(_ index: Int) {
    if kind == .adding {
      processes[index].synchronizer.edit { $0 += 1 }
      sum += 1
    } else {
      lastWritten += 1
      written.insert(lastWritten)
      processes[index].synchronizer.edit { [lastWritten] in $0 = lastWritten }
    }
  }

  private mutating func write(_ index: Int, isReliable: Bool) {
    guard let write = processes[index].synchronizer.nextWrite() else { return }
    let writer = processes[index].synchronizer.writer
    let body = ValueSynchronizer<Int>.Stored(
      value: write.value, writer: writer, seen: write.seen, revision: write.expected + 1)
    if !isReliable, random.isOne(in: 5) { return }  // the request is lost
    if !isReliable, random.isOne(in: 3) { return late.append(Request(body: body, expected: write.expected)) }
    apply(Request(body: body, expected: write.expected))
    if !isReliable, random.isOne(in: 3) { return }  // the answer is lost
    read(index)
  }
  private mutating func apply(_ request: Request) {
    if stored?.revision ?? 0 == request.expected { stored = request.body }
  }
  private mutating func arriveLate() {
    if !late.isEmpty { apply(late.remove(at: random.number(below: late.count))) }
  }
  private mutating func read(_ index: Int) {
    guard let stored else { return processes[index].synchronizer.receiveAbsence() }
    processes[index].synchronizer.receive(stored, rule)
    let revision = processes[index].synchronizer.revision
    if revision < processes[index].lastRevision { problem = "a revision went backwards" }
    processes[index].lastRevision = revision
  }

  private func verdict() -> String? {
    let locals = processes.map { $0.synchronizer.local }
    let final = stored?.value ?? 0
    if let open = processes.first(where: { !$0.synchronizer.isSettled }) { return "not settled: \(open.synchronizer)" }
    if locals.contains(where: { $0 != final }) { return "\(locals) differ from the stored \(final)" }
    if kind == .adding, final != sum { return "the sum is \(final), not \(sum)" }
    if kind != .adding, !written.contains(final) { return "no writer wrote \(final)" }
    if kind == .settingLatest, processes.count == 1, final != lastWritten { return "the last write was lost" }
    return nil
  }
}
