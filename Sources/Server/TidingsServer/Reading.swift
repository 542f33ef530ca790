#if Server
import TidingsRegistry

/// The counts of an object or a handler since it was made.
struct Counts {
  var deliveries: UInt = 0
  var dropped = 0
  var computations = 0
  var calls = 0
  var nanoseconds: Int64 = 0
  var slowest: Int64 = 0
}

/// One export of one series: what was counted since the export before, and the state now.
struct Reading {
  private(set) var counted = Counts()
  private(set) var objects = 0
  private(set) var waiting = 0
  private(set) var subscriptions = 0
  /// For a timer: of each handler that was called the mean, and its slowest call if no earlier one was as slow.
  private(set) var durations: [Int64] = []

  mutating func add(_ object: ObjectSnapshot, since earlier: [UInt: Counts], into exported: inout [UInt: Counts]) {
    objects += 1
    waiting += object.waiting
    subscriptions += object.handlers.count
    let before = earlier[object.number] ?? Counts()
    var now = Counts(deliveries: object.deliveries, computations: object.computations)
    // In other objects each handler counts its dropped values: their sum falls when a handler ends.
    if object.kind == .stream { now.dropped = object.dropped }
    exported[object.number] = now
    counted.deliveries += now.deliveries - min(before.deliveries, now.deliveries)
    counted.dropped += now.dropped - before.dropped
    counted.computations += now.computations - before.computations
    // One that was added before the registry was started has no number, and no counts that belong to it alone.
    for handler in object.handlers where handler.number != 0 {
      add(handler, since: earlier[handler.number] ?? Counts(), into: &exported)
    }
  }

  private mutating func add(_ handler: HandlerSnapshot, since before: Counts, into exported: inout [UInt: Counts]) {
    let now = Counts(
      dropped: handler.dropped, calls: handler.calls, nanoseconds: handler.nanoseconds, slowest: handler.slowest)
    exported[handler.number] = now
    counted.dropped += now.dropped - before.dropped
    let (calls, nanoseconds) = (now.calls - before.calls, now.nanoseconds - before.nanoseconds)
    counted.calls += calls
    counted.nanoseconds += nanoseconds
    if calls > 0 { durations.append(nanoseconds / Int64(calls)) }
    if now.slowest > before.slowest { durations.append(now.slowest) }
  }
}
#endif
