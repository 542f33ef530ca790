import Foundation
import Harness
import Synchronization
import Tidings

/// Handlers are added and cancelled ten million times, sixty-four at a time, in no order of age, and values are used and dropped
/// ten million times: does anything remain? Heap and memory held by the process before and after; both must be level.
enum Churn {
  static func rows(quick: Bool) -> [Row] {
    let count = count(quick: quick)
    let runs = runs(count)
    func row(_ what: String, _ figure: @escaping (Run.Held) -> Int?) -> Row {
      Row(
        RowName.churn(count, what), family: "churn", size: count, unit: .bytes, floor: "",
        runs.flatMap { run in
          [
            .counted(atStart(run.name)) { figure(run.result.start).map(Double.init) },
            .counted(atEnd(run.name)) { figure(run.result.end).map(Double.init) },
          ]
        })
    }
    return [row(heap, \.heap), row(memory, \.memory)]
  }

  /// Room for what an allocator and a system do by themselves; one word a subscription would be eighty megabytes.
  static func thresholds(quick: Bool) -> [Threshold] {
    let count = count(quick: quick)
    return runs(count).flatMap { run in
      [(heap, 65_536.0), (memory, 4_194_304.0)].map { what, limit in
        let row = RowName.churn(count, what)
        return .growth(
          from: Threshold.Figure(atStart(run.name), row), to: Threshold.Figure(atEnd(run.name), row), atMost: limit)
      }
    }
  }

  private static let heap = "heap"
  private static let memory = "memory"
  private static func count(quick: Bool) -> Int { quick ? 100_000 : 10_000_000 }
  private static func atStart(_ name: String) -> String { name + ", start" }
  private static func atEnd(_ name: String) -> String { name + ", end" }

  private static func runs(_ count: Int) -> [Run] {
    [
      Run(Serial.self, count), Run(Immediate.self, count),
      Run(emittingElsewhere: Serial.self, count), Run(emittingElsewhere: Immediate.self, count),
      Run(Local.self, count), Run(ObservedChurn.self, count), Run(values: count), Run(OpenCombinePeer.self, count),
    ]
  }

  /// Done once, when first asked for.
  private final class Run {
    struct Held {
      let heap = System.heapBytes
      let memory = System.residentBytes
    }

    let name: String
    private let work: () -> (start: Held, end: Held)
    private(set) lazy var result = work()

    init<C: Cancelling>(_: C.Type, _ count: Int) {
      name = C.name
      work = {
        let ring = Ring(C())
        return Self.watch(count) { ring.turn($0, emitting: true) }
      }
    }

    /// The other thread is always in the middle of an emit, and so delays all that waits for a pause to clean up.
    init<C: Cancelling & Shared>(emittingElsewhere: C.Type, _ count: Int) {
      name = C.name + " beside an emitter"
      work = {
        let contender = C()
        let ring = Ring(contender)
        return Self.watch(count) { count in
          let (isOver, done) = (Flag(), DispatchSemaphore(value: 0))
          Thread.detachNewThread {
            while !isOver.value.load(ordering: .relaxed) { contender.emit(1..<100) }
            done.signal()
          }
          ring.turn(count, emitting: false)
          isOver.value.store(true, ordering: .relaxed)
          done.wait()
        }
      }
    }

    init(values count: Int) {
      name = ValueChurn.name
      work = {
        let values = ValueChurn()
        return Self.watch(count, values.turn)
      }
    }

    /// A tenth first, so that tables, caches and threads' own heaps have grown to their sizes.
    private static func watch(_ count: Int, _ work: (Int) -> Void) -> (start: Held, end: Held) {
      work(max(10_000, count / 10))
      let start = Held()
      work(count)
      return (start, Held())
    }
  }
}

/// The handlers that are there; at each step one is cancelled and another is added.
private final class Ring<C: Cancelling> {
  private let contender: C
  private let tally = Tally()
  private var tokens: [C.Token]
  private var step = 0

  init(_ contender: C) {
    self.contender = contender
    let tally = tally
    tokens = (0..<64).map { _ in contender.subscribe(tally) }
  }

  func turn(_ count: Int, emitting: Bool) {
    for _ in 0..<count {
      step &+= 1
      // Odd, so that all have their turn, the places next to one another far apart in time.
      let place = step &* 37 & 63
      contender.cancel(tokens[place])
      tokens[place] = contender.subscribe(tally)
      if emitting && step % 1_000 == 0 { contender.emit(step..<step + 1) }
    }
  }
}

/// The handlers of a value.
private struct ObservedChurn: Cancelling {
  static let name = ObservedValue.name
  private let value = Observed(0)

  func subscribe(_ tally: Tally) -> Subscription { value.observe { tally.add($0.new) } }
  func cancel(_ token: Subscription) { token.cancel() }
  func emit(_ payloads: Range<Int>) {
    for payload in payloads { value.set(payload) }
  }
}
