/// Lets a report of each cause through once in a period, and counts the others: so a cause that lasts does not fill a log.
///
/// A pure value; the caller passes the time.
struct ReportLimiter {
  typealias Instant = ContinuousClock.Instant
  private struct Period {
    let length: Duration
    let end: Instant
    var repeats: RelayFailure?
    init(_ length: Duration, from now: Instant) { (self.length, end) = (length, now + length) }
  }
  private var periods: [RelayFailure: Period] = [:]
  private static let limit = 1_024

  /// The report, if it is the first of its cause in a period.
  mutating func take(_ failure: RelayFailure, at now: Instant) -> RelayFailure? {
    guard let cause = failure.cause else { return failure }
    if let period = periods[cause] {
      periods[cause]?.repeats = failure.added(to: period.repeats)
      return nil
    }
    if periods.count >= Self.limit { periods = periods.filter { $0.value.repeats != nil } }
    if periods.count < Self.limit { periods[cause] = Period(failure.firstPeriod, from: now) }
    return failure
  }

  /// Returns the failures that were counted in periods that are over. Each begins another period, of twice the length or a minute.
  mutating func due(at now: Instant) -> [RelayFailure] {
    var due: [RelayFailure] = []
    for (cause, period) in periods where period.end <= now {
      if let repeats = period.repeats { due.append(repeats) }
      periods[cause] = period.repeats.map { _ in Period(min(period.length * 2, .seconds(60)), from: now) }
    }
    return due
  }

  /// When there will be something due; nil if nothing is counted.
  var next: Instant? { periods.values.lazy.filter { $0.repeats != nil }.map(\.end).min() }

  /// Returns all that is counted, when no more will come.
  func remaining() -> [RelayFailure] { periods.values.compactMap(\.repeats) }
}

extension RelayFailure {
  /// The same for all reports of one cause; nil where each is reported.
  fileprivate var cause: RelayFailure? {
    switch self {
    case .transport, .denied: self
    case .unreadable(let subject, _, let reason): .unreadable(subject: subject, id: "", reason: reason)
    case .missed(let subject, _): .missed(subject: subject, count: 0)
    case .lagging(let subject, _): .lagging(subject: subject, count: 0)
    case .dropped(let subject, _, let reason): .dropped(subject: subject, count: 0, reason: reason)
    case .overdue(let subject, let consumer, _): .overdue(subject: subject, consumer: consumer, id: "")
    case .cycle(let subject, _): .cycle(subject: subject, hops: 0)
    // Each is about a message that is given up once.
    case .dead: nil
    case .repeated(let failure, _): failure.cause
    }
  }

  /// A minute. Losses are summed up for a second at first, so that a short trouble is reported in whole when it is over.
  fileprivate var firstPeriod: Duration {
    switch self {
    case .missed, .dropped, .denied: .seconds(1)
    default: .seconds(60)
    }
  }

  /// Together with those of its cause that have been counted.
  fileprivate func added(to counted: RelayFailure?) -> RelayFailure {
    func sum(_ new: Int, _ old: Int) -> Int {
      let (sum, isTooLarge) = new.addingReportingOverflow(old)
      return isTooLarge ? .max : sum
    }
    switch (self, counted) {
    case (.missed(let subject, let new), .missed(_, let old)): return .missed(subject: subject, count: sum(new, old))
    case (.dropped(let subject, let new, let reason), .dropped(_, let old, _)):
      return .dropped(subject: subject, count: sum(new, old), reason: reason)
    case (.missed, _), (.dropped, _), (.denied, _): return self
    case (_, .repeated(_, let count)): return .repeated(self, count: count + 1)
    default: return .repeated(self, count: 1)
    }
  }
}
