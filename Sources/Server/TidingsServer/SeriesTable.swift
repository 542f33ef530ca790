#if Server
import Metrics
import Tidings
import TidingsRegistry

/// Turns snapshots of objects into metrics: counts into differences to the snapshot before, by series.
final class SeriesTable: Sendable {
  private struct State {
    /// The counts that were exported of each object and handler, by number.
    var exported: [UInt: Counts] = [:]
    var instruments: [SeriesKey: Instruments] = [:]
    var rejections: Counter?
  }
  private let state = Lock(State())
  private let givenFactory: (any MetricsFactory)?
  private var factory: any MetricsFactory { givenFactory ?? MetricsSystem.factory }

  init(_ factory: (any MetricsFactory)?) { givenFactory = factory }

  func countRejection() {
    let counter = state.withLock { $0.rejections } ?? Counter(label: "tidings.rejections", factory: factory)
    state.withLock { $0.rejections = counter }
    counter.increment()
  }

  func export(_ snapshots: [ObjectSnapshot]) {
    let labels = [UInt: String](
      uniqueKeysWithValues: snapshots.compactMap { snapshot in snapshot.label.map { (snapshot.number, $0) } })
    var readings = state.withLock { state in
      var readings: [SeriesKey: Reading] = [:]
      // Only of what is alive, so that it does not grow with what was.
      var exported: [UInt: Counts] = [:]
      exported.reserveCapacity(state.exported.count)
      for snapshot in snapshots {
        // A stream is counted under the name of its source.
        guard let label = snapshot.kind == .stream ? snapshot.source.flatMap({ labels[$0] }) : snapshot.label else {
          continue
        }
        let key = SeriesKey(name: label, kind: snapshot.kind)
        readings[key, default: Reading()].add(snapshot, since: state.exported, into: &exported)
      }
      state.exported = exported
      return readings
    }
    // Metrics are code of the backend: outside the lock.
    let known = state.withLock { $0.instruments }
    // A series without a live object is exported with counts of zero.
    for key in known.keys where readings[key] == nil { readings[key] = Reading() }
    var made: [SeriesKey: Instruments] = [:]
    for (key, reading) in readings {
      let instruments = known[key] ?? Instruments(key, factory)
      if known[key] == nil { made[key] = instruments }
      instruments.record(reading)
    }
    state.withLock { [made] in $0.instruments.merge(made) { first, _ in first } }
  }
}
#endif
