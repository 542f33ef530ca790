/// One piece of work, done by several contenders in turn.
public struct Row {
  public enum Unit: String, Codable, Sendable {
    case nanoseconds = "ns"
    case bytes
    case trials
    case updates
  }

  public let name: String
  /// Rows of one family are sampled together and differ only in `size`.
  public let family: String
  /// How many handlers or subscriptions the work is about; nil where that means nothing.
  public let size: Int?
  /// The quantity that `size` counts, if a chart of the cost against it is meaningful.
  public let axis: String?
  public let unit: Unit
  /// The contender that the others are compared with in the table.
  public let floor: String
  public let trials: [Trial]

  public init(
    _ name: String, family: String, size: Int? = nil, axis: String? = nil, unit: Unit = .nanoseconds, floor: String,
    _ trials: [Trial]
  ) {
    self.name = name
    self.family = family
    self.size = size
    self.axis = axis
    self.unit = unit
    self.floor = floor
    self.trials = trials
  }

  /// The same row with some of its trials.
  public func keeping(_ isWanted: (_ contender: String) -> Bool) -> Row {
    Row(
      name, family: family, size: size, axis: axis, unit: unit, floor: floor,
      trials.filter { isWanted($0.contender) })
  }
}

/// The work of one contender in one row.
public struct Trial {
  public let contender: String
  let work: Work

  /// Work whose samples take seconds asks for fewer of them.
  let maximumRounds: Int

  enum Work {
    case timed(() -> (Int) -> Timing)
    case whole(() -> Timing)
    case counted(() -> Double?)
  }

  /// Work that is timed. `make` builds a fresh fixture for every sample, so that no lucky or unlucky layout of memory decides the
  /// result. The closure that it returns does the work about as many times as asked, and returns the timing.
  public static func timed(
    _ contender: String, maximumRounds: Int = .max, _ make: @escaping () -> (Int) -> Timing
  ) -> Trial {
    Trial(contender: contender, work: .timed(make), maximumRounds: maximumRounds)
  }

  /// Work that is large enough to be a sample by itself: done once a round, without warm-up, as building what it works
  /// on has touched everything already.
  public static func whole(_ contender: String, maximumRounds: Int, _ work: @escaping () -> Timing) -> Trial {
    Trial(contender: contender, work: .whole(work), maximumRounds: maximumRounds)
  }

  /// A figure that is counted once, not timed; nil where this platform does not report it.
  public static func counted(_ contender: String, _ count: @escaping () -> Double?) -> Trial {
    Trial(contender: contender, work: .counted(count), maximumRounds: 1)
  }
}

/// How long the given number of operations took.
public struct Timing: Sendable {
  public var nanoseconds: Double
  public var operations: Int

  public init(nanoseconds: Double = 0, operations: Int = 0) {
    self.nanoseconds = nanoseconds
    self.operations = operations
  }

  public static func += (total: inout Timing, part: Timing) {
    total.nanoseconds += part.nanoseconds
    total.operations += part.operations
  }

  public var perOperation: Double { nanoseconds / Double(max(1, operations)) }
}
