/// A snapshot of an event, for people.
///
/// ```swift
/// print(traded.diagnostics)
/// // market.traded: 2 subscriptions
/// //   1. Tour/Market.swift:40
/// //   2. Tour/Ledger.swift:12, 17 values on the way
/// ```
///
/// It is built on demand. An event stores nothing for it except its label. Where subscriptions were made is known only in
/// debug builds of this library.
public struct Diagnostics: Sendable, CustomStringConvertible {
  /// The event's label.
  public let label: String?
  /// The number of live subscriptions, paused ones included.
  public let count: Int
  /// The number of values that wait in the event's own queue because another value is being delivered.
  public let waiting: Int
  /// The live subscriptions in the order in which they were added.
  public let subscriptions: [Site]
  private let name: String

  /// One subscription of the snapshot.
  public struct Site: Sendable, CustomStringConvertible {
    /// The file where the subscription was made; nil in a release build.
    public let file: String?
    /// The line there; nil in a release build.
    public let line: UInt?
    /// Whether the subscription is paused.
    public let isPaused: Bool
    /// The number of values that are queued for the handler's actor or being handled there; of a hook, the number of running
    /// calls.
    public let queued: Int

    @_optimize(size)
    public var description: String {
      var text = "a handler"
      if let file { text = file + ":" + (line ?? 0).description }
      if isPaused { text += ", paused" }
      if queued > 0 { text += ", " + counted(queued, "value") + " on the way" }
      return text
    }
  }

  @inline(never)
  init(of source: CausalSource, waiting: Int, subscriptions: [Site]) {
    label = source.identity.label
    name = source.name
    count = subscriptions.count
    self.waiting = waiting
    self.subscriptions = subscriptions
  }

  @_optimize(size)
  public var description: String {
    var text = name + ": " + counted(count, "subscription")
    if waiting > 0 { text += ", " + counted(waiting, "value") + " waiting" }
    for index in subscriptions.indices {
      text += "\n  " + (index + 1).description + ". " + subscriptions[index].description
    }
    return text
  }
}

@inline(never)
@_optimize(size)
func counted(_ count: Int, _ kind: String) -> String {
  count.description + " " + kind + (count == 1 ? "" : "s")
}

extension Diagnostics {
  /// An operation that the library rejected, described for people.
  public struct Report: Sendable, CustomStringConvertible {
    /// The description, as it is written to standard error.
    public let message: String
    /// The objects involved, by label or by the place where they were made, the rejected object last. A cycle is shown by one
    /// round, as far as one thread knows it.
    public let labels: [String]
    public var description: String { message }
  }

  /// Reports of what the library rejected: cycles, writes in computations, waits of a handler for itself, emissions after
  /// ``Event/finish()``. Written to standard error while this event has no handler.
  ///
  /// A report is delivered however deep the cycle was. Its observers may set values and emit as if no handler had caused
  /// them; only emissions that nest on the stack, with `.immediate`, still count the depth that has been reached. What is
  /// rejected among the effects of these observers is written to standard error alone.
  public static let reports = Event<Report>("tidings.reports")

  @_optimize(size)
  static func report(_ report: Report, about source: CausalSource) {
    if ObjectObservation.isOn { ObjectObservation.observer.rejected(report) }
    let delivery = reports.delivery
    // Observers of reports receive no reports of the cycles that they cause: that would be a cycle without an end.
    if delivery.hasNoHandlers || source === delivery || CausalFrame.currentDepth >= CausalFrame.ofReport {
      return printToStandardError("Tidings: " + report.message)
    }
    Context.outsideComputation { Context.withOwnNotifications { deliver(report) } }
  }
  // A separate function, because the attribute does not apply to closures.
  @_optimize(none)  // or all of `Event` would be compiled once more, for reports
  private static func deliver(_ report: Report) {
    reports.delivery.relay(report, DeliveryContext(here: nil, counter: nil), depth: CausalFrame.ofReport + 1)
  }
}

extension Event {
  /// A snapshot of this event for people: label, subscriptions, where they were made, and values that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnostics: Diagnostics { delivery.diagnostics }
}
