import Tidings

/// Decodes bytes into operations, does them to the library, and stops where the library and the plain model differ.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOperations(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  _ = ignoredReports
  do {
    let machine = Machine(ByteReader(UnsafeRawBufferPointer(start: start, count: count)))
    machine.run()
  }
  expect(Captured.alive == 0, "\(Captured.alive) handlers are left")
  return 0
}

/// Takes the reports, which would otherwise be written to standard error.
private let ignoredReports = Diagnostics.reports.observe { _ in }

/// One input's events, values, streams, hooks and field, each beside its model.
///
/// Unchecked: everything runs on the fuzzer's one thread.
final class Machine: @unchecked Sendable {
  var bytes: ByteReader
  /// How many operations handlers may still do within this one.
  var allowance = 0
  let pool = InlinePool()

  // Events, see `Machine+Events`.
  var events: [ModelEvent] = []
  var handlers: [ModelHandler] = []
  var delivering: [ModelEvent] = []
  var nextValue = 0

  // Values, see `Machine+Values`.
  var graph = GraphModel()
  var nodes: [LibraryNode] = []
  var observers: [ValueObserver] = []
  var wroteInHandler = false

  // Questions, see `Machine+Hooks`.
  let hook = Hook<Int, Int, Never>("hook")
  let localHook = LocalHook<Int, Int, Never>("local hook")
  var answers: [ModelAnswer] = []
  var localAnswers: [ModelLocalAnswer] = []

  // Editing, see `EditingMachine`.
  var editing: EditingMachine?

  init(_ bytes: ByteReader) {
    self.bytes = bytes
    for _ in 0..<3 { events.append(ModelEvent(Event("event", policy: .serial))) }
    for number in 0..<3 { makeSource(number) }
  }

  func run() {
    while !bytes.isEmpty {
      allowance = 8
      operate()
      pool.drain()
      checkValues()
      checkInvariants()
      checkStreams()
    }
    end()
  }

  private func operate() {
    switch bytes.number(below: 16) {
    case 0..<5: operateOnEvents()
    case 5..<10: operateOnValues()
    case 10, 11: operateOnStreams()
    case 12, 13: operateOnHooks()
    default:
      MainActor.assumeIsolated {
        if editing == nil { editing = EditingMachine(&bytes) }
        editing?.step(&bytes)
      }
    }
  }

  private func end() {
    for handler in handlers { handler.stream?.cancel() }
    pool.drain()
    MainActor.assumeIsolated { editing = nil }
    (handlers, events, observers, nodes, answers, localAnswers) = ([], [], [], [], [], [])
    pool.drain()
  }
}
