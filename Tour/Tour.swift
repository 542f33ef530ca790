import Foundation

/// `swift run tour [--interactive] [file.csv | -]`
@main
@MainActor
struct Tour {
  /// The numbers of sysexits.h.
  private enum ExitCode: Int32 {
    case usage = 64
    case badData = 65
    case noInput = 66
  }

  static func main() async {
    let arguments: Arguments
    do {
      arguments = try Arguments(CommandLine.arguments.dropFirst())
    } catch {
      end(.usage, "\(error.sentence)\n\n\(Arguments.usage)")
    }
    let source: Source
    switch arguments {
    case .help: return print(Arguments.usage)
    case .tour(let input), .interactive(let input): source = Source(input)
    }
    let prices = read(source)
    for rejection in prices.rejected { complain("\(source.name), \(rejection)") }
    guard !prices.accepted.isEmpty else {
      guard prices.rejected.isEmpty else { end(.badData, "There is no price in \(source.name) that can be read.") }
      return print("There are no prices in \(source.name) yet, so there is nothing to show.")
    }
    if case .interactive = arguments { return type(prices.accepted) }
    let page = Page(isColoured: wantsColours) { print($0) }
    await present(of: prices, on: page)
  }

  /// The whole tour.
  static func present(of prices: Prices, on page: Page) async {
    let market = Market(prices.accepted)
    Overture.present(of: market, left: prices.accepted.count - market.closes.count, on: page)
    for (number, chapter) in zip(1..., chapters) {
      page.heading("\(number)  \(chapter.title)")
      page.say(chapter.summary)
      page.line()
      await chapter.present(of: market, on: page)
      page.line()
      page.quote(chapter.code)
    }
    page.line()
    page.say("The contract, sentence by sentence: Sources/Tidings/Tidings.docc/Contract.md.")
  }

  /// A trade of the share whose price is the newest.
  private static func type(_ prices: [Price]) {
    let closes = Market(prices).closes
    do {
      let terminal = try Terminal()
      defer { terminal.close() }
      TradeEditor(closes[closes.count - 1]).run(in: terminal)
    } catch {
      end(.usage, "--interactive needs a terminal: its keys are read one by one.")
    }
  }

  private static func read(_ source: Source) -> Prices {
    do {
      return try Prices(csv: source.text())
    } catch let error as Prices.NoHeader {
      end(.badData, "\(source.name) is not a list of prices: \(error).")
    } catch {
      end(.noInput, "\(source.name) cannot be read: \(Source.reason(of: error)).")
    }
  }

  /// Colours are for viewers and have not declined them (no-color.org).
  private static var wantsColours: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) != 0 && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  private static func complain(_ text: String) { FileHandle.standardError.write(Data("tour: \(text)\n".utf8)) }

  private static func end(_ code: ExitCode, _ text: String) -> Never {
    complain(text)
    exit(code.rawValue)
  }
}
