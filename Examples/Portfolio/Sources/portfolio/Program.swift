// `portfolio prices FILE` publishes prices into a journal, `portfolio serve FILE` serves a page of a portfolio at these
// prices. Each may come, go and be killed at any time. The positions and the settings are saved in `FILE.json`.
import Foundation
import PortfolioModels
import TidingsPersistence
import TidingsRemote

@main @MainActor
struct Program {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let port = arguments.count == 4 && arguments[2] == "--port" ? UInt16(arguments[3]) : 8080
    switch (arguments.first, arguments.count, port) {
    case ("prices", 2, _): try await publishPrices(into: arguments[1])
    case ("serve", 2, let port?), ("serve", 4, let port?): try await serve(arguments[1], port: port)
    default: print("usage: portfolio prices FILE | portfolio serve FILE [--port N]")
    }
  }

  /// Publishes prices that move at random.
  private static func publishPrices(into file: String) async throws {
    let priced = try Relay(market: file, name: "prices").prices()
    var market: [String: Decimal] = ["AAPL": 210, "AMZN": 185, "GOOG": 170, "IBM": 190, "MSFT": 425, "TIDE": 100]
    while true {
      priced.emit(market)
      market = market.mapValues { max(1, $0 + Decimal(Int.random(in: -100...100)) / 100) }
      try await Task.sleep(for: .milliseconds(250))
    }
  }

  /// Serves the page until SIGINT or SIGTERM.
  private static func serve(_ file: String, port: UInt16) async throws {
    let relay = try Relay(market: file, name: "portfolio")
    let store = PersistentStore(file: URL(filePath: file + ".json"))
    let server = PageServer(portfolio: Portfolio(in: store, priced: relay.prices()))
    let serving = Task { try await server.run(port: port) }
    let ends = [SIGINT, SIGTERM].map { DispatchSource.makeSignalSource(signal: $0, queue: .main) }
    for end in ends {
      signal(Int32(end.handle), SIG_IGN)
      end.setEventHandler { serving.cancel() }
      end.resume()
    }
    let result = await serving.result
    for end in ends { end.cancel() }
    await store.close()
    await relay.close()
    if !serving.isCancelled { try result.get() }
  }
}
