#if Server
import Metrics
import TidingsRegistry

/// Names a series.
struct SeriesKey: Hashable {
  let name: String
  let kind: ObjectKind

  /// The series of the objects whose labels have none of their own.
  static func others(_ kind: ObjectKind) -> SeriesKey { SeriesKey(name: "(others)", kind: kind) }
  var isOfOthers: Bool { self == .others(kind) }
}

/// The metrics of one series. They are made once: some backends look a series up each time that one is made.
struct Instruments: Sendable {
  private let deliveries, dropped, computations, calls: Counter
  private let time: FloatingPointCounter
  private let objects, waiting, subscriptions: Gauge
  private let duration: Timer

  init(_ key: SeriesKey, _ factory: any MetricsFactory) {
    let dimensions = [("name", key.name), ("kind", key.kind.rawValue)]
    func counter(_ label: String) -> Counter {
      Counter(label: "tidings." + label, dimensions: dimensions, factory: factory)
    }
    func gauge(_ label: String) -> Gauge {
      Gauge(label: "tidings." + label, dimensions: dimensions, factory: factory)
    }
    deliveries = counter("deliveries")
    dropped = counter("dropped")
    computations = counter("computations")
    calls = counter("handler.calls")
    time = FloatingPointCounter(label: "tidings.handler.seconds", dimensions: dimensions, factory: factory)
    objects = gauge("objects")
    waiting = gauge("waiting")
    subscriptions = gauge("subscriptions")
    duration = Timer(label: "tidings.handler.duration", dimensions: dimensions, factory: factory)
  }

  func record(_ reading: Reading) {
    // Also when nothing was counted: a series that is missing looks like a server that is.
    deliveries.increment(by: Int64(clamping: reading.counted.deliveries))
    dropped.increment(by: reading.counted.dropped)
    computations.increment(by: reading.counted.computations)
    calls.increment(by: reading.counted.calls)
    time.increment(by: Double(reading.counted.nanoseconds) / 1e9)
    objects.record(reading.objects)
    waiting.record(reading.waiting)
    subscriptions.record(reading.subscriptions)
    for nanoseconds in reading.durations { duration.recordNanoseconds(nanoseconds) }
  }

  /// Lets the backend free what it keeps of the series.
  func destroy() {
    for counter in [deliveries, dropped, computations, calls] { counter.destroy() }
    time.destroy()
    for gauge in [objects, waiting, subscriptions] { gauge.destroy() }
    duration.destroy()
  }
}
#endif
