#if Inspector
import TidingsRegistry

/// Finds, by comparing samples, what is probably a mistake.
struct Detector: Sendable {
  /// The key of a count: of the subscriptions to one object that one place has made, or of the objects that it has made.
  private struct Site: Hashable {
    /// Nil for the objects.
    let object: UInt?
    let place: String
  }
  private struct Growth {
    var count: Int
    /// In how many samples there were more than before, since there were last fewer.
    var steps = 0
    var grewAt: ContinuousClock.Instant
  }
  private struct Reading {
    var received: UInt
    var taken: Int
    /// In how many samples values came and none was taken.
    var unread = 0
  }
  private struct Computing {
    var computations: Int
    var unchanged: Int
    /// The counts of the last samples.
    var recent: [(computations: Int, unchanged: Int)] = []
  }
  private var growths: [Site: Growth] = [:]
  private var readings: [UInt: Reading] = [:]
  private var computings: [UInt: Computing] = [:]

  /// A call that takes longer is slow, in nanoseconds.
  static let slow: Int64 = 10_000_000
  /// A warning is no longer shown when its count has not grown for this long.
  private static let forgetting = Duration.seconds(30)
  private static let rejectionsShown = 5

  mutating func look(
    at rows: [Sample.Row], _ rejections: [RejectionRecord], at now: ContinuousClock.Instant
  ) -> [Warning] {
    var warnings: [Warning] = []
    for rejection in rejections.suffix(Self.rejectionsShown).reversed() {
      warnings.append(
        Warning(
          kind: .rejected, title: "rejected: " + rejection.labels.joined(separator: " → "), detail: rejection.message,
          object: nil))
    }
    (growths, readings, computings) = (
      growing(rows, now, &warnings), reading(rows, &warnings), computing(rows, &warnings)
    )
    slow(rows, &warnings)
    return warnings
  }

  private func growing(
    _ rows: [Sample.Row], _ now: ContinuousClock.Instant, _ warnings: inout [Warning]
  ) -> [Site: Growth] {
    var found: [Site: Growth] = [:]
    /// Whether there were more than before in enough samples, and never fewer.
    func grows(_ count: Int, at site: Site, steps: Int) -> Bool {
      var growth = growths[site] ?? Growth(count: count, grewAt: now)
      if count > growth.count { (growth.steps, growth.grewAt) = (growth.steps + 1, now) }
      if count < growth.count { growth.steps = 0 }
      growth.count = count
      found[site] = growth
      return growth.steps >= steps && now - growth.grewAt < Self.forgetting
    }
    for row in rows where row.object.handlers.count > 1 {
      var counts: [String: Int] = [:]
      for handler in row.object.handlers { counts[handler.site, default: 0] += 1 }
      for (place, count) in counts where count > 1 {
        if grows(count, at: Site(object: row.object.number, place: place), steps: 3) {
          warnings.append(
            Warning(
              kind: .growing, title: "subscriptions that only grow: " + row.object.name,
              detail: "\(count) were made at \(place), and none of them has ended", object: row.object.number))
        }
      }
    }
    // A closure of its own can keep an object that has a closure: a derived value, or what has a handler.
    let closures = rows.filter { $0.object.kind == .derived || !$0.object.handlers.isEmpty }
    for (place, rows) in Dictionary(grouping: closures, by: \.object.site) where rows.count > 1 {
      // More steps than for subscriptions: a program fills its lists at the start.
      guard let last = rows.last?.object, grows(rows.count, at: Site(object: nil, place: place), steps: 6) else {
        continue
      }
      warnings.append(
        Warning(
          kind: .alive, title: "objects that only grow: " + last.name,
          detail: "\(rows.count) were made at \(place), and none of them has ended. If each belongs to an object, "
            + "a closure may keep that object: capture the values that it reads, or [weak self]",
          object: last.number))
    }
    return found
  }

  private func reading(_ rows: [Sample.Row], _ warnings: inout [Warning]) -> [UInt: Reading] {
    var found: [UInt: Reading] = [:]
    for row in rows where row.object.kind == .stream {
      let object = row.object
      let taken = Int(object.deliveries) - object.waiting - object.dropped
      var reading = readings[object.number] ?? Reading(received: object.deliveries, taken: taken)
      if taken > reading.taken || object.waiting == 0 || object.suspendedConsumers > 0 {
        reading.unread = 0
      } else if object.deliveries > reading.received {
        reading.unread += 1
      }
      (reading.received, reading.taken) = (object.deliveries, taken)
      found[object.number] = reading
      if reading.unread >= 3 {
        warnings.append(
          Warning(
            kind: .unread, title: "a stream without a consumer: " + object.name,
            detail: "\(object.waiting) values wait and \(object.dropped) were dropped; it was made at \(object.site)",
            object: object.number))
      }
    }
    return found
  }

  private func computing(_ rows: [Sample.Row], _ warnings: inout [Warning]) -> [UInt: Computing] {
    var found: [UInt: Computing] = [:]
    for row in rows where row.object.kind == .derived {
      let object = row.object
      var known =
        computings[object.number]
        ?? Computing(computations: object.computations, unchanged: object.unchangedComputations)
      known.recent.append(
        (object.computations - known.computations, object.unchangedComputations - known.unchanged))
      if known.recent.count > 8 { known.recent.removeFirst() }
      (known.computations, known.unchanged) = (object.computations, object.unchangedComputations)
      found[object.number] = known
      let computations = known.recent.reduce(0) { $0 + $1.computations }
      let unchanged = known.recent.reduce(0) { $0 + $1.unchanged }
      if computations >= 20, unchanged * 10 >= computations * 9 {
        warnings.append(
          Warning(
            kind: .unchanged, title: "recomputed without change: " + object.name,
            detail:
              "\(unchanged) of the last \(computations) computations gave the value that it had; split what it reads",
            object: object.number))
      }
    }
    return found
  }

  private func slow(_ rows: [Sample.Row], _ warnings: inout [Warning]) {
    for row in rows {
      // One warning for each place, with the slowest of its handlers.
      var slowest: [String: Int64] = [:]
      for handler in row.object.handlers where handler.slowest > Self.slow {
        slowest[handler.site] = max(slowest[handler.site] ?? 0, handler.slowest)
      }
      for (place, nanoseconds) in slowest.sorted(by: { $0.key < $1.key }) {
        warnings.append(
          Warning(
            kind: .slow, title: "slow handler: " + row.object.name,
            detail: "a call of the one added at \(place) took \(nanoseconds / 1_000_000) ms", object: row.object.number)
        )
      }
      if row.object.slowestComputation > Self.slow {
        warnings.append(
          Warning(
            kind: .slow, title: "slow computation: " + row.object.name,
            detail: "one took \(row.object.slowestComputation / 1_000_000) ms", object: row.object.number))
      }
    }
  }
}
#endif
