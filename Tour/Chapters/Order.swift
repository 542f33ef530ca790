import Tidings

/// Shows the order of calls when a handler emits.
enum Order: Chapter {
  static let title = "Order, when handlers emit"

  static let summary = """
    Three handlers get every move in the order in which they were added. The second, the watchman, answers a steep \
    fall with an alarm. Read each column downwards: which handler was called next, and with what.
    """

  static let code = """
    let tape = Event<Tiding>("market.tape", policy: policy)
    tape.observe { log.note($0, "ledger") }.store(in: &tokens)
    tape.observe {
      log.note($0, "watchman")
      if let alarm = answer($0) { log.inside { tape.emit(alarm) } }
    }.store(in: &tokens)
    tape.observe { log.note($0, "printer") }.store(in: &tokens)
    """

  static func present(of market: Market, on page: Page) async {
    let moves = market.moves
    // Any move does for the picture, should nothing in this market fall steeply.
    guard let steepest = moves.min(by: { $0.change < $1.change }) else { return }
    let picture: @Sendable (Tiding) -> Tiding? = { $0 == .move(steepest) ? .alarm(steepest) : nil }
    let columns = [
      (".serial", played([steepest], policy: .serial, answer: picture)),
      (".immediate", played([steepest], policy: .immediate, answer: picture)),
      ("alarms apart, .serial", playedApart(steepest)),
    ]
    page.line("  The move: \(steepest.price.symbol), \(steepest.price.day.monthName), \(steepest.change.percent).")
    if !steepest.isSteepFall { page.line("  No fall here is steep: for once the watchman answers this all the same.") }
    page.line()
    page.line("  " + columns.map { page.styled($0.0, .bold) + "".padded(to: 26 - $0.0.count) }.joined())
    for row in 0..<(columns.map(\.1.calls.count).max() ?? 0) {
      page.line("  " + columns.map { $0.1.text(at: row).padded(to: 26) }.joined())
    }
    page.line()
    page.line("  The printer notes")
    page.line("  " + columns.map { outcome(of: $0.1).padded(to: 26) }.joined())
    page.line()
    page.say(
      "On the right, alarms have an event of their own. It is idle, so its handlers are called in place: order is kept "
        + "within one event, and what belongs together goes through one.")
    page.line()
    printWholeMarket(moves, on: page)
  }

  private static func outcome(of log: CallLog) -> String {
    log.tidings(of: "printer").map { $0.isAlarm ? "the alarm" : "the move" }.joined(separator: ", then ")
  }

  private static func printWholeMarket(_ moves: [Move], on page: Page) {
    page.line("  The whole market, to the printer  noted   alarms  too early")
    let answer: @Sendable (Tiding) -> Tiding? = {
      if case .move(let move) = $0, move.isSteepFall { .alarm(move) } else { nil }
    }
    for (name, policy) in [(".serial", DeliveryPolicy.serial), (".immediate", .immediate)] {
      let log = played(moves, policy: policy, answer: answer)
      let printed = log.tidings(of: "printer")
      let figures = [printed.count, printed.count(where: \.isAlarm), earlyAlarms(in: printed)]
      let order = printed == log.tidings(of: "ledger") ? "the ledger's order" : "not the ledger's order"
      page.line(
        "    \(name.padded(to: 22))" + figures.map { String($0).aligned(to: 9) }.joined() + "    " + order)
    }
    if !moves.contains(where: \.isSteepFall) {
      page.line("  Without alarms nothing is emitted in between, and there is nothing to mix up.")
    }
  }

  /// One event for everything.
  private static func played(
    _ moves: [Move], policy: DeliveryPolicy, answer: @escaping @Sendable (Tiding) -> Tiding?
  ) -> CallLog {
    let log = CallLog()
    var tokens: Set<Subscription> = []
    let tape = Event<Tiding>("market.tape", policy: policy)
    tape.observe { log.note($0, "ledger") }.store(in: &tokens)
    tape.observe {
      log.note($0, "watchman")
      if let alarm = answer($0) { log.inside { tape.emit(alarm) } }
    }.store(in: &tokens)
    tape.observe { log.note($0, "printer") }.store(in: &tokens)
    for move in moves { tape.emit(.move(move)) }
    return log
  }

  /// An event for moves and one for alarms; all three handlers listen to both.
  private static func playedApart(_ move: Move) -> CallLog {
    let log = CallLog()
    var tokens: Set<Subscription> = []
    let moves = Event<Tiding>("market.moves")
    let alarms = Event<Tiding>("market.alarms")
    for event in [moves, alarms] {
      event.observe { log.note($0, "ledger") }.store(in: &tokens)
      event.observe {
        log.note($0, "watchman")
        if case .move(let move) = $0 { log.inside { alarms.emit(.alarm(move)) } }
      }.store(in: &tokens)
      event.observe { log.note($0, "printer") }.store(in: &tokens)
    }
    moves.emit(.move(move))
    return log
  }

  /// How many alarms came before the move they are about.
  private static func earlyAlarms(in tidings: [Tiding]) -> Int {
    var known: Set<Move> = []
    return tidings.count { tiding in
      switch tiding {
      case .move(let move):
        known.insert(move)
        return false
      case .alarm(let move): return !known.contains(move)
      }
    }
  }
}
