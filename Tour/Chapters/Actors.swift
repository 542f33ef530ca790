import Tidings

/// Handlers on two actors.
enum Actors: Chapter {
  static let title = "Handlers on two actors"

  static let summary = """
    A board lives on the main actor, where the prices are emitted; a ledger is an actor of its own. Each gets every \
    close, in order. `emitAndWait` returns when both have.
    """

  static let code = """
    closes.observe(with: board) { board, price in board.noted.append(price) }
    closes.observe(with: ledger) { ledger, price in ledger.noted.append(price) }
    for price in month.closes.dropLast() { closes.emit(price) }
    await closes.emitAndWait(last)
    """

  static func present(of market: Market, on page: Page) async {
    await showMonths(of: market, on: page)
    page.line()
    await showSlowLedger(of: market.closes, on: page)
  }

  /// At the end of a month every actor has received all of it.
  private static func showMonths(of market: Market, on page: Page) async {
    let closes = Event<Price>("market.close")
    let board = Board()
    let ledger = Ledger()
    closes.observe(with: board) { board, price in board.noted.append(price) }
    closes.observe(with: ledger) { ledger, price in ledger.noted.append(price) }

    var emitted = 0
    var complete = (board: 0, ledger: 0)
    for month in market.months {
      guard let last = month.closes.last else { continue }
      for price in month.closes.dropLast() { closes.emit(price) }
      await closes.emitAndWait(last)
      emitted += month.closes.count
      if board.noted.count == emitted { complete.board += 1 }
      if await ledger.noted.count == emitted { complete.ledger += 1 }
    }
    page.line("                            noted   in order   complete at a month's end")
    let rows = [
      ("board   the main actor", board.noted, complete.board),
      ("ledger  its own actor", await ledger.noted, complete.ledger),
    ]
    for (name, noted, months) in rows {
      page.line(
        "  \(name.padded(to: 24))\(String(noted.count).aligned(to: 7))"
          + "\(answer(noted == market.closes).aligned(to: 11))"
          + "\(String(months).aligned(to: 8)) of \(market.months.count)")
    }
  }

  /// The ledger's actor is held up until nearly everything has been emitted.
  private static func showSlowLedger(of prices: [Price], on page: Page) async {
    guard let last = prices.last else { return }
    let closes = Event<Price>("market.close")
    let board = Board()
    let gate = Gate()
    let ledger = SlowLedger(waitingFor: gate)
    closes.observe(with: board) { board, price in board.noted.append(price) }
    closes.observe(with: ledger) { ledger, price in ledger.note(price) }

    page.say(
      "Now the ledger is held up: its actor gets no time at all until the last close is about to come. Then the gate "
        + "opens.")
    page.line()
    page.line("               board noted          ledger noted         on the way to it")
    func printRow(_ label: String) {
      let waiting = closes.diagnostics.subscriptions.map(\.queued).reduce(0, +)
      let columns = [board.noted.count, ledger.count, waiting].map {
        "\(String($0).aligned(to: 6)) \(bar($0, of: prices.count, width: 12).padded(to: 14))"
      }
      page.line("  \(label.padded(to: 9))" + columns.joined())
    }
    let stops = Set((1...5).map { $0 * prices.count / 6 - 1 } + [prices.count - 2])
    for (index, price) in prices.dropLast().enumerated() {
      closes.emit(price)
      if stops.contains(index) { printRow(price.day.monthName) }
    }
    gate.open()
    await closes.emitAndWait(last)
    // A value counts as on its way until its call has been ticked off; the actor's own answer comes after that.
    let noted = await ledger.noted
    printRow("opened")
    page.line()
    page.say(
      "In the order in which they were emitted: board \(answer(board.noted == prices)), "
        + "ledger \(answer(noted == prices)).")
  }

  private static func answer(_ isSo: Bool) -> String { isSo ? "yes" : "no" }
}
