import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Tidings

/// Prints a line now, also where the output is a file.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// The prices of all symbols, each millisecond. What shows in a chart is the newest: older ones may be left out.
let priced = Event<[Int]>("market.priced")
/// The number of values dropped for slow clients, over all clients.
let dropped = Observed(0, label: "dropped")

/// The market. When the program is asked to end, its event finishes, and with it every stream.
struct Market: Service {
  func run() async {
    await cancelWhenGracefulShutdown {
      var prices = Array(repeating: 20_000, count: 500)
      while !Task.isCancelled {
        for symbol in prices.indices { prices[symbol] += Int.random(in: -10...10) }
        priced.emit(prices)
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    say("the market closes")
    priced.finish()
  }
}

/// Subscribes when a client asks. The subscription ends with the response: a write to a client that has disconnected throws.
func stream(_ request: Request, _ context: some RequestContext) -> Response {
  let prices = priced.stream(buffering: .newest(64), addingDropsTo: dropped)
  let body = ResponseBody { writer in
    do {
      // The emitter waits for no client. A write waits until this one has taken enough, and meanwhile its stream drops the
      // oldest; the ids that the client receives say which.
      for await (number, prices) in prices.numbered {
        try await writer.write(ByteBuffer(string: "id: \(number)\ndata: \(prices)\n\n"))
      }
      try await writer.write(ByteBuffer(string: "event: closed\ndata: \(prices.droppedCount) dropped\n\n"))
      try await writer.finish(nil)
      say("a client has received the end")
    } catch {
      say("a client has disconnected, or was too slow for the end")
      throw error
    }
  }
  return Response(status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
}

let router = Router()
router.get("prices", use: stream)
router.get("status") { _, _ in "\(priced.diagnostics.count) clients, \(dropped.value) dropped\n" }

var logger = Logger(label: "prices")
logger.logLevel = .critical
let server = Application(
  router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
  onServerRunning: { channel in say("listening on port \(channel.localAddress?.port ?? 0)") }, logger: logger)

// They end in reverse order: first the market, so that every stream comes to its end; then the server, when its responses are
// written. It waits two seconds for them, and not longer for a client that does not read.
var services = ServiceGroupConfiguration(
  services: [server, Market()], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
services.maximumGracefulShutdownDuration = .seconds(2)
try await ServiceGroup(configuration: services).run()
say("the server has ended")
