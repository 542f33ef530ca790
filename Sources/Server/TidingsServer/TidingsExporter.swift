#if Server
public import Logging
public import Metrics
public import ServiceLifecycle
import Tidings
import TidingsRegistry

/// Exports what a program's events, values, streams and hooks do: as metrics, periodically, and as log messages.
///
/// ```swift
/// let exporter = TidingsExporter(logger: logger)  // first thing: it knows what is made from now on
/// let group = ServiceGroup(services: [exporter, server], logger: logger)
/// try await group.run()
/// ```
///
/// Every object with a label belongs to a series; those with the same label and kind share one. The number of series is bounded,
/// and those without an object are freed. The page <doc:Servers> lists the metrics. Nothing is added to an emit: the exporter reads counts that are kept anyway. Handlers that are added after the
/// exporter was made are timed.
///
/// While it runs, what the library rejects is a log message of level `error` with the chain as metadata, instead of a line on
/// standard error.
///
/// A group shuts its services down in the reverse order, so the exporter, which comes first, exports a last time when all others
/// have ended.
public struct TidingsExporter: Service {
  private let interval: Duration
  private let logger: Logger
  private let maximum: Int
  private let table: SeriesTable

  /// Makes an exporter, which knows the objects that are made from now on.
  ///
  /// - Parameters:
  ///   - interval: The time between two exports.
  ///   - logger: Receives what is rejected.
  ///   - factory: Makes the metrics. If nil, the one that `MetricsSystem` has when the first export begins.
  ///   - maximum: How many series there are. When there are more labels, the objects of the others share one series of each kind,
  ///     named `(others)`, and a log message of level `warning` says so.
  ///   - period: How long a series is exported after the end of its last object, before the backend may free it. If the maximum is
  ///     reached, it gives way to a new series earlier.
  public init(
    every interval: Duration = .seconds(10), logger: Logger, factory: (any MetricsFactory)? = nil,
    maximumSeries maximum: Int = 2_000, keeping period: Duration = .seconds(600)
  ) {
    self.interval = interval
    self.logger = logger
    self.maximum = maximum
    table = SeriesTable(factory, maximum: maximum, keeping: period)
    if !ObjectRegistry.shared.start() { logger.error("objects cannot be exported: they have another observer") }
  }

  /// Exports periodically, and a last time when the program shuts down or the task is cancelled.
  public func run() async throws {
    let reports = Diagnostics.reports.observe { [logger, table] report in
      table.countRejection()
      // In place, so that the logger sees the context of what was rejected.
      logger.error("\(report.message)", metadata: ["chain": .array(report.labels.map { .string($0) })])
    }
    await cancelWhenGracefulShutdown { [self] in
      while !Task.isCancelled {
        export()
        // Cancellation ends the sleep by an error, and then the loop.
        try? await Task.sleep(for: interval)
      }
    }
    export()
    reports.cancel()
  }

  /// Exports now, in addition to the periodic exports; for a program that is asked for its metrics.
  ///
  /// - Complexity: O(*n* log *n*) in the number of objects, with and without a label.
  public func export() {
    if table.export(ObjectRegistry.shared.snapshots()) {
      logger.warning("more than \(maximum) labels: the objects of further ones are exported as '(others)'")
    }
  }
}
#endif
