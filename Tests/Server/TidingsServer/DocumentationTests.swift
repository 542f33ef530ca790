import Logging
import Metrics
import MetricsTestKit
import ServiceLifecycle
import Testing
import TidingsServer
import UnixSignals

/// The programs that the documentation of the product shows.
@Suite("The server products, as their documentation shows them")
struct DocumentationTests {
  private struct ReturningService: Service {
    func run() async throws {}
  }

  @Test("An exporter beside a server ends with it")
  func exporterFirst() async throws {
    let (server, logger) = (ReturningService(), Logger(label: "documentation"))
    let exporter = TidingsExporter(logger: logger)  // first thing: it knows what is made from now on
    let group = ServiceGroup(services: [exporter, server], logger: logger)
    // A service that returns before the others is an error of the group, which ends them.
    await #expect(throws: ServiceGroupError.self) { try await group.run() }
  }

  /// Compiled, and not run: a process has one metrics system, and the tests have theirs.
  func guide(backend: TestMetrics, logger: Logger, server: any Service, worker: any Service) async throws {
    MetricsSystem.bootstrap(backend)
    let exporter = TidingsExporter(every: .seconds(10), logger: logger)  // first: it knows what is made from now on
    carryServiceContext()
    let group = ServiceGroup(services: [exporter, server, worker], gracefulShutdownSignals: [.sigterm], logger: logger)
    try await group.run()
  }
}
