/// What an event looks like at one moment, for people.
///
/// ```swift
/// print(traded.diagnosis)
/// // market.traded: 2 subscriptions
/// //   1. Tour/Market.swift:40
/// //   2. Tour/Ledger.swift:12, 17 values on their way
/// ```
///
/// A snapshot, made when asked for; an event that nobody asks keeps nothing for it but its label. Where subscriptions were
/// made is known in debug builds of this library only.
public struct Diagnosis: Sendable, CustomStringConvertible {
  /// The event's label.
  public let label: String?
  /// How many subscriptions are live, paused ones included.
  public let count: Int
  /// How many values wait in the event's own queue, because another is being delivered.
  public let waiting: Int
  /// The live subscriptions in the order in which they were added.
  public let subscriptions: [Site]
  private let name: String

  /// One subscription.
  public struct Site: Sendable, CustomStringConvertible {
    /// Where it was made; nil in a release build.
    public let file: String?
    public let line: UInt?
    public let isPaused: Bool
    /// How many values are on their way to the handler's actor, or being handled there; of a hook, how many calls are
    /// running.
    public let queued: Int

    public var description: String {
      var text = file.map { "\($0):\(line ?? 0)" } ?? "a handler"
      if isPaused { text += ", paused" }
      if queued > 0 { text += ", \(counted(queued, "value")) on the way" }
      return text
    }
  }

  init(of origin: Origin, waiting: Int, subscriptions: [Site]) {
    label = origin.label
    name = origin.name
    count = subscriptions.count
    self.waiting = waiting
    self.subscriptions = subscriptions
  }

  public var description: String {
    var text = "\(name): \(counted(count, "subscription"))"
    if waiting > 0 { text += ", \(counted(waiting, "value")) waiting" }
    for (index, site) in subscriptions.enumerated() { text += "\n  \(index + 1). \(site)" }
    return text
  }
}

@inline(never)
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension Diagnosis {
  /// Something that the library stopped, in words.
  public struct Report: Sendable, CustomStringConvertible {
    public let message: String
    /// One round of the circle, as far as it stood on one thread: the events by label or by where they were made, the
    /// refused one last.
    public let labels: [String]
    public var description: String { message }
  }

  /// Circles of handlers that were stopped. Written to standard error while nobody observes this.
  ///
  /// However deep a circle was, its report is told, and its observers may set values and emit as if nothing had caused them; only
  /// what nests on the stack, with `.immediate`, still counts how far that has grown. What is stopped among the things that they
  /// cause is written to standard error alone.
  public static let reports = Event<Report>("tidings.reports")

  static func report(_ report: Report, about origin: Origin) {
    let delivery = reports.delivery
    // Who hears reports and causes more is not told of those, or would be for ever.
    if delivery.isUnheard || origin === delivery || Frame.currentDepth >= Frame.ofReport {
      return complain("Tidings: " + report.message)
    }
    Context.aside { Context.apart { deliver(report) } }
  }
  // A function of its own: the attribute does not reach into closures.
  @_optimize(none)  // or all of `Event` would be compiled once more, for reports
  private static func deliver(_ report: Report) {
    reports.delivery.relay(report, Passage(here: nil, ticket: nil), depth: Frame.ofReport + 1)
  }
}

extension Event {
  /// What this event looks like now: label, subscriptions and where they were made, values that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnosis: Diagnosis { delivery.diagnosis }
}
