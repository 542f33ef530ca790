#if Server
import Metrics
import Tidings
import TidingsRegistry

/// Turns snapshots of objects into metrics: counts into differences to the snapshot before, by series.
///
/// It has a bounded number of series. One without a live object gives way to a new one, or is freed after a while.
final class SeriesTable: Sendable {
  fileprivate struct Series {
    /// Nil until the export that has found its first object has made them.
    var instruments: Instruments?
    /// Since when it has had no live object; nil if it has one.
    var idle: ContinuousClock.Instant?
  }
  fileprivate struct State {
    /// The counts that were exported of each object and handler, by number.
    var exported: [UInt: Counts] = [:]
    var series: [SeriesKey: Series] = [:]
    /// Series that the backend is asked to free. Objects with their names wait for the next export, which makes them again.
    var freeing: Set<SeriesKey> = []
    /// How many exports are under way.
    var exports = 0
    /// It is known that there are more labels than series.
    var isFull = false
    var rejections: Counter?
  }
  private let state = Lock(State())
  private let givenFactory: (any MetricsFactory)?
  private let maximum: Int
  private let period: Duration
  private var factory: any MetricsFactory { givenFactory ?? MetricsSystem.factory }

  /// - Parameters:
  ///   - factory: Makes the metrics.
  ///   - maximum: How many series it has, beside one for the other objects of each kind.
  ///   - period: How long a series without a live object is kept.
  init(_ factory: (any MetricsFactory)?, maximum: Int, keeping period: Duration) {
    (givenFactory, self.maximum, self.period) = (factory, max(1, maximum), period)
  }

  func countRejection() {
    let counter = state.withLock { $0.rejections } ?? Counter(label: "tidings.rejections", factory: factory)
    state.withLock { $0.rejections = counter }
    counter.increment()
  }

  /// - Returns: Whether there are more labels than series, and that is news.
  func export(_ snapshots: [ObjectSnapshot]) -> Bool {
    let labels = [UInt: String](
      uniqueKeysWithValues: snapshots.compactMap { snapshot in snapshot.label.map { (snapshot.number, $0) } })
    let keyed = snapshots.compactMap { snapshot -> (SeriesKey, ObjectSnapshot)? in
      // A stream is counted under the name of its source.
      let label = snapshot.kind == .stream ? snapshot.source.flatMap { labels[$0] } : snapshot.label
      return label.map { (SeriesKey(name: $0, kind: snapshot.kind), snapshot) }
    }
    let (readings, known, freed, isNews) = state.withLock { state in state.read(keyed, maximum, period) }
    // Metrics are code of the backend: outside the lock.
    for instruments in freed.values { instruments.destroy() }
    var made: [SeriesKey: Instruments] = [:]
    for (key, reading) in readings {
      let instruments = known[key] ?? Instruments(key, factory)
      if known[key] == nil { made[key] = instruments }
      instruments.record(reading)
    }
    state.withLock { [made] state in
      for (key, instruments) in made where state.series[key]?.instruments == nil {
        state.series[key]?.instruments = instruments
      }
      state.freeing.subtract(freed.keys)
      state.exports -= 1
    }
    return isNews
  }
}

extension SeriesTable.State {
  fileprivate typealias Export = (
    readings: [SeriesKey: Reading], known: [SeriesKey: Instruments], freed: [SeriesKey: Instruments], isNews: Bool
  )

  /// Begins an export. A series without a live object is read as one whose counts are zero.
  fileprivate mutating func read(
    _ snapshots: [(SeriesKey, ObjectSnapshot)], _ maximum: Int, _ period: Duration
  ) -> Export {
    exports += 1
    let (alive, now) = (Set(snapshots.map(\.0)).subtracting(freeing), ContinuousClock.now)
    for (key, known) in series {
      series[key]?.idle = alive.contains(key) || key.isOfOthers ? nil : known.idle ?? now
    }
    let new = alive.count { series[$0] == nil }
    let freed = free(for: new, maximum, period, now)
    var (readings, isOver) = ([SeriesKey: Reading](), false)
    // Only of what is alive, so that it does not grow with what was.
    var counts: [UInt: Counts] = [:]
    counts.reserveCapacity(exported.count)
    for (key, snapshot) in snapshots where !freeing.contains(key) {
      var key = key
      if series[key] == nil {
        if series.count >= maximum {
          key = .others(key.kind)
          isOver = true
        }
        if series[key] == nil { series[key] = SeriesTable.Series() }
      }
      readings[key, default: Reading()].add(snapshot, since: exported, into: &counts)
    }
    exported = counts
    for key in series.keys where readings[key] == nil { readings[key] = Reading() }
    let isNews = isOver && !isFull
    isFull = isOver || isFull && alive.count > maximum / 2
    return (readings, series.compactMapValues(\.instruments), freed, isNews)
  }

  /// Frees series that have had no live object for the period, and the longest idle ones that are in the way of new ones. None while
  /// another export may be recording.
  private mutating func free(
    for new: Int, _ maximum: Int, _ period: Duration, _ now: ContinuousClock.Instant
  ) -> [SeriesKey: Instruments] {
    guard exports == 1 else { return [:] }
    let idle = series.compactMap { key, series in
      series.idle.map { (key: key, since: $0, instruments: series.instruments) }
    }.sorted { $0.since < $1.since }
    var left = series.count + new - maximum
    var freed: [SeriesKey: Instruments] = [:]
    for (key, since, instruments) in idle {
      // It is exported once without an object: so its gauges fall to zero.
      guard since < now, let instruments, left > 0 || now - since >= period else { continue }
      left -= 1
      freed[key] = instruments
      series[key] = nil
    }
    freeing.formUnion(freed.keys)
    return freed
  }
}
#endif
