import Foundation

/// The options that the command line gives.
struct Options {
  var port = 8080
  /// Between two ticks.
  var interval = Duration.milliseconds(100)
  /// How many ticks wait for a client that is slower than the market.
  var buffer = 64
  /// How long the end waits for clients that read slowly.
  var grace = Duration.seconds(5)
  /// Whether the inspector's page is served beside the market's.
  var inspects = false
  /// The prices that the tour walks through; there is one copy of them in the repository.
  var prices = URL(filePath: #filePath).appending(path: "../../../../../Tour/Resources/stocks.csv").standardized

  static let usage = """
    usage: market-server [--port NUMBER] [--every MILLISECONDS] [--buffer TICKS] [--grace SECONDS] [--prices FILE] [--inspect]
    """

  /// Nil if a word is none of the options.
  init?(_ arguments: some Sequence<String>) {
    var rest = arguments.makeIterator()
    while let name = rest.next() {
      if name == "--inspect" {
        inspects = true
        continue
      }
      guard let text = rest.next() else { return nil }
      if name == "--prices" {
        prices = URL(filePath: text)
        continue
      }
      guard let number = Int(text), number >= 0 else { return nil }
      switch name {
      case "--port" where number <= 65_535: port = number
      case "--every" where number > 0: interval = .milliseconds(number)
      case "--buffer" where number > 0: buffer = number
      case "--grace": grace = .seconds(number)
      default: return nil
      }
    }
  }
}
