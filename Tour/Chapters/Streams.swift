import Tidings

/// A consumer that is slower than the market.
enum Streams: Chapter {
  static let title = "A slow reader, and what it misses"

  static let summary = """
    A reader on an actor of its own takes the closes from a stream, one after the other. While it reads one, the market \
    emits \(burst) more, and it does not wait. A block is a close the reader was given, a dot one it dropped.
    """

  static let code = """
    let stream = closes.stream(buffering: policy)
    …
    for await (number, price) in stream.numbered {
      taken.append((number, price))
      await tape.goOn(taken: number)
    }
    …
    let latest = price.stream(.latest)
    …
    for await price in latest {
      seen.append(price)
      await tape.goOn()
    }
    """

  /// How many closes are emitted while one is read.
  fileprivate static let burst = 5

  static func present(of market: Market, on page: Page) async {
    let prices = market.longestRun
    let curve = sparkline(prices.map(\.close))
    Strip.printScale(of: prices, on: page)
    var rows: [Row] = []
    for (name, policy) in [
      (".newest(4)", BufferingPolicy.newest(4)), (".oldest(4)", .oldest(4)), (".unbounded", .unbounded),
    ] {
      let row = await read(prices, buffering: policy, as: name)
      let strip = Strip(name)
      for (_, price) in row.taken { strip.note(price) }
      strip.print(prices, curve: curve, on: page)
      rows.append(row)
    }
    page.line()
    page.line("                        given   missed   closes sent since, at most")
    for row in rows {
      page.line(
        "  \(row.name.padded(to: 20))" + String(row.taken.count).aligned(to: 7) + String(row.missed).aligned(to: 9)
          + String(row.lag).aligned(to: 9))
    }
    page.line()
    page.say("The gaps of .newest(4), as its numbers show them: \(gaps(in: rows[0])).")
    page.line()
    await showLatest(of: prices, on: page)
  }

  /// The elements that one reader received.
  fileprivate struct Row {
    let name: String
    let taken: [(number: Int, price: Price)]
    /// As the stream counted.
    let missed: Int
    /// How many closes had come, at most, after the one that it was given.
    let lag: Int
  }

  private static func read(_ prices: [Price], buffering policy: BufferingPolicy, as name: String) async -> Row {
    let (tape, stream) = open(prices, policy)
    let reader = SlowReader()
    tape.goOn()
    await reader.follow(stream, tape)
    return Row(name: name, taken: await reader.taken, missed: stream.droppedCount, lag: tape.lag)
  }

  /// Only the tape keeps the event: the stream ends when that releases it.
  private static func open(_ prices: [Price], _ policy: BufferingPolicy) -> (Tape<Event<Price>>, EventStream<Price>) {
    let closes = Event<Price>("market.close")
    let stream = closes.stream(buffering: policy)
    return (Tape(prices, through: closes) { $0.emit(contentsOf: $1) }, stream)
  }

  /// `0, 2–5 and 7`, found by looking at the numbers alone.
  private static func gaps(in row: Row) -> String {
    var (next, gaps): (Int, [String]) = (0, [])
    for (number, _) in row.taken {
      if number > next { gaps.append(number - next == 1 ? "\(next)" : "\(next)–\(number - 1)") }
      next = number + 1
    }
    return gaps.isEmpty ? "none" : listed(gaps, limit: 12)
  }

  /// The same reader, of what the price is.
  private static func showLatest(of prices: [Price], on page: Page) async {
    let (tape, latest) = open(prices)
    let reader = SlowReader()
    await reader.watch(latest, tape)
    let seen = await reader.seen
    page.say(
      "As a value that changes, .latest: \(seen.suffix(10).map(\.dollars).joined(separator: " · ")). "
        + "The last that the reader saw is the last close: \(seen.last == prices.last?.close ? "yes" : "no").")
  }

  private static func open(_ prices: [Price]) -> (Tape<Observed<Double>>, EventStream<Double>) {
    let price = Observed(prices[0].close)
    let latest = price.stream(.latest)
    let tape = Tape(prices.dropFirst(), through: price) { price, burst in
      for close in burst { price.set(close.close) }
    }
    return (tape, latest)
  }
}

/// On an actor of its own. While it reads, the market continues.
private actor SlowReader {
  private(set) var taken: [(number: Int, price: Price)] = []
  private(set) var seen: [Double] = []

  func follow(_ stream: EventStream<Price>, _ tape: Tape<Event<Price>>) async {
    for await (number, price) in stream.numbered {
      taken.append((number, price))
      await tape.goOn(taken: number)
    }
  }

  func watch(_ latest: EventStream<Double>, _ tape: Tape<Observed<Double>>) async {
    for await price in latest {
      seen.append(price)
      await tape.goOn()
    }
  }
}

/// Emits prices, some at a time, whenever it is asked to continue, and at the end releases its event.
@MainActor
private final class Tape<Source: Sendable> {
  private var source: Source?
  private var rest: ArraySlice<Price>
  private let emit: (Source, ArraySlice<Price>) -> Void
  private var sent = 0
  private(set) var lag = 0

  init(
    _ prices: some Collection<Price>, through source: Source, emit: @escaping (Source, ArraySlice<Price>) -> Void
  ) {
    (self.source, rest, self.emit) = (source, ArraySlice(prices), emit)
  }

  /// - Parameter number: Of the close that was read meanwhile.
  func goOn(taken number: Int? = nil) {
    if let number { lag = max(lag, sent - 1 - number) }
    guard let source, !rest.isEmpty else {
      self.source = nil
      return
    }
    let burst = rest.prefix(Streams.burst)
    rest = rest.dropFirst(burst.count)
    sent += burst.count
    emit(source, burst)
  }
}
