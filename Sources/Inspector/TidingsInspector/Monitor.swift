#if Inspector
import Tidings
import TidingsRegistry

/// Takes samples of the registry and compares each with those before.
final class Monitor: Sendable {
  let registry: ObjectRegistry
  let values: Inspector.Values
  private struct State {
    var latest = Sample.empty
    var detector = Detector()
    var tracks: [UInt: Track] = [:]
  }
  /// The remembered counts of one object.
  private struct Track {
    /// The latest counts, with the times at which they were taken.
    var counts: [(time: ContinuousClock.Instant, count: UInt)] = []
    var history: [UInt32] = []
  }
  private let state = Lock(State())
  /// How many samples a sparkline shows.
  private static let historyLength = 40
  private static let rateWindow = Duration.seconds(2)

  init(_ registry: ObjectRegistry, values: Inspector.Values) {
    self.registry = registry
    self.values = values
  }

  var latest: Sample { state.withLock { $0.latest } }

  /// Looks at everything.
  func sample() {
    let objects = registry.snapshots()
    let rejections = registry.rejections
    let now = ContinuousClock.now
    state.withLock { state in
      var tracks: [UInt: Track] = [:]
      tracks.reserveCapacity(objects.count)
      let rows = objects.map { object -> Sample.Row in
        var track = state.tracks[object.number] ?? Track()
        let row = Self.row(of: object, &track, at: now)
        tracks[object.number] = track
        return row
      }
      state.tracks = tracks
      let warnings = state.detector.look(at: rows, rejections, at: now)
      state.latest = Sample(number: state.latest.number + 1, time: now, rows: rows, warnings: warnings)
    }
  }

  private static func row(
    of object: ObjectSnapshot, _ track: inout Track, at now: ContinuousClock.Instant
  ) -> Sample.Row {
    var row = Sample.Row(object: object)
    if let last = track.counts.last {
      track.history.append(UInt32(clamping: object.deliveries &- min(last.count, object.deliveries)))
      if track.history.count > historyLength { track.history.removeFirst() }
    }
    // The window begins with the last count that is two seconds old.
    track.counts.append((now, object.deliveries))
    while track.counts.count > 2, now - track.counts[1].time >= rateWindow { track.counts.removeFirst() }
    if let first = track.counts.first, now > first.time {
      row.rate = Double(object.deliveries &- min(first.count, object.deliveries)) / (now - first.time).seconds
    }
    row.history = track.history
    return row
  }

  /// The newest values of some objects as text; none where they are hidden.
  func texts(of numbers: Set<UInt>) -> [UInt: String] {
    switch values {
    case .shown: registry.values(of: numbers)
    case .hidden: [:]
    }
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
#endif
