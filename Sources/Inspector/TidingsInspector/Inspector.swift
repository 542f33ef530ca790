#if Inspector
import Tidings
import TidingsRegistry

/// Shows the events, values, streams and hooks of a running program: what is observed by what, how often, and how long it takes.
///
/// ```swift
/// let inspector = Inspector()                    // before the objects that it is to show
/// Task { try await inspector.serve { print($0) } }  // http://127.0.0.1:36065/#1cc6…
/// print(inspector.table())                       // the same for a log
/// ```
///
/// It knows the objects that are made after the first inspector of the process. From then on each call of a handler is timed,
/// which takes some hundred nanoseconds. It changes nothing: looking computes no derived value and adds no handler.
public final class Inspector: Sendable {
  /// Whether the newest values are shown.
  public enum Values: Sendable {
    /// As `String(describing:)` describes them.
    case shown
    /// Not at all: values may be secrets.
    case hidden

    /// Shown in debug builds of this library, hidden in release builds.
    public static var standard: Values {
      #if DEBUG
      .shown
      #else
      .hidden
      #endif
    }
  }

  let monitor: Monitor

  /// Makes an inspector, and registers the objects that are made from now on.
  ///
  /// - Parameter values: Whether the newest values are shown.
  public init(values: Values = .standard) {
    if !ObjectRegistry.shared.start() {
      fatalError("another observer of objects is installed: an inspector shares those of TidingsRegistry alone")
    }
    monitor = Monitor(ObjectRegistry.shared, values: values)
    monitor.sample()
  }

  /// The objects as text, a line each, those with the most deliveries since the last table first; then the warnings.
  ///
  /// - Parameters:
  ///   - text: Only objects whose name, kind, type or place contains it, whatever the case.
  ///   - limit: How many lines.
  /// - Returns: The table, for a log or a terminal.
  /// - Complexity: O(*n* log *n*) in the number of objects.
  public func table(matching text: String = "", limit: Int = 50) -> String {
    monitor.sample()
    return Table(monitor.latest, matching: text, limit: limit, values: monitor).text
  }
}
#endif
