/// One alert on the core and on each of the five dialects.
enum Dialects: Chapter {
  static let title = "One alert, written five ways"

  static let summary = """
    Code for five older libraries moves over by changing an import. Each of these gets every move and raises the falls \
    of 10 % or more, in the words of its own library.
    """

  static let code = """
    subscription = moved.filter { $0.isSteepFall }.observe { raise($0) }
    moved += Closure { _, args in
    moved.observe { if $0.isSteepFall { raise($0) } }
    moved += { if $0.isSteepFall { raise($0) } }
    func notify(with notification: any Notification) {
    latest.afterChange += { change in
    """

  static let alerts: [any Alert.Type] = [
    CoreAlert.self, ClosureEventsAlert.self, SimpleNotifierAlert.self, EventDispatchingAlert.self,
    SubjectObserverAlert.self, ObservableSwiftAlert.self,
  ]

  static func present(of market: Market, on page: Page) async {
    let moves = market.moves
    let raised = alerts.map { falls(raisedBy: $0, of: moves) }
    page.line("  " + "".padded(to: 20) + "alerts  the first" + "".padded(to: 17) + "the last")
    for (alert, falls) in zip(alerts, raised) {
      let count = String(falls.count).aligned(to: 6)
      let ends = falls.first.map { describe($0).padded(to: 26) + describe(falls[falls.count - 1]) } ?? "none"
      page.line("  \(alert.library.padded(to: 20))\(count)  \(ends)")
    }
    page.line()
    let agree = raised.allSatisfy { $0 == raised[0] }
    page.say(
      agree ? "Six times the same alerts in the same order." : "They do not agree: that is a fault of this library.")
  }

  private static func falls(raisedBy alert: any Alert.Type, of moves: [Move]) -> [Move] {
    let notes = Notes<Move>()
    let alert = alert.init { notes.add($0) }
    for move in moves { alert.note(move) }
    return notes.items
  }

  /// Two fit into a line, also with the longest symbols.
  private static func describe(_ move: Move) -> String {
    let text = "\(move.price.day.monthName)  \(move.price.symbol)"
    return move.price.symbol.count <= 4 ? "\(text)  \(move.change.percent)" : text
  }
}
