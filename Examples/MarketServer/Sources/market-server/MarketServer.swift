// Live charts of ten years of prices: a page, its stream of server-sent events, and what a server's operator looks at.
//
//   swift run --package-path Examples/MarketServer market-server
//
// and http://127.0.0.1:8080 in a browser; /metrics shows the numbers as text, and with --inspect a second page shows the events and
// values of the program. SIGINT and SIGTERM end it in order: the market
// closes, each client receives what waits for it and the end, and the numbers are exported a last time.
import Foundation
import Hummingbird
import Logging
import Metrics
import ServiceLifecycle
import Tidings
import TidingsInspector
import TidingsServer

@main
struct MarketServer {
  static func main() async throws {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      say(Options.usage)
      exit(64)
    }
    let metrics = MetricsPage()
    MetricsSystem.bootstrap(metrics)
    var logger = Logger(label: "market")
    logger.logLevel = .warning

    // First: it knows what is made from now on.
    let exporter = TidingsExporter(every: .seconds(1), logger: logger)
    let inspector = options.inspects ? Inspector() : nil
    let inspecting = inspector.map { inspector in Task { try await inspector.serve { say("inspector: \($0)") } } }
    defer { inspecting?.cancel() }
    // A handler belongs to the request that caused it, also on another actor.
    carryServiceContext()

    let market = Market(try History(options.prices), every: options.interval)
    let stream = PriceStream(market: market, buffer: options.buffer)
    let router = Router()
    router.add(middleware: MetricsMiddleware())
    try PageFiles().add(to: router)
    router.get("prices", use: stream.respond)
    router.get("metrics") { _, _ in metrics.text }

    let server = Application(
      router: router, server: .http1(configuration: .init(additionalChannelHandlers: [BoundedChannel()])),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: options.port), backlog: 1_024),
      onServerRunning: { channel in say("http://127.0.0.1:\(channel.localAddress?.port ?? 0)") }, logger: logger)

    // They end in the reverse order: first the market, and with it every stream; then the server, when its responses are
    // written; last the exporter, when there is nothing more to count.
    var services = ServiceGroupConfiguration(
      services: [exporter, server, market], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    services.maximumGracefulShutdownDuration = options.grace
    try await ServiceGroup(configuration: services).run()
    say("closed after \(market.ticks) ticks, \(market.dropped.value) dropped for slow clients")
  }

  /// Prints a line now, also where the output is a file.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }
}
