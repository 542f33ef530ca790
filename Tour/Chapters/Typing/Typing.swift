import Foundation
import Tidings
import TidingsInteractors

/// Two-way editing: a trade that is typed key by key.
enum Typing: Chapter {
  static let title = "A trade, typed key by key"

  static let summary = """
    Two fields edit one property. A key that cannot be part of a number is rejected, with the reason; a price that is too \
    far off can be typed, but not bought; and both values are written together or not at all. The bar is the caret. \
    With --interactive the keys are yours.
    """

  static let code = """
    let quantity = Interactor(
      Projection(trade).quantity, in: quantityField, as: shares,
      committing: .explicitly,
      validators: [.require("At least one share.") { $0 > 0 }])
    …
    form = Form(quantity, price)
    …
    try form.commit()
    """

  static func present(of market: Market, on page: Page) async {
    let last = market.closes[market.closes.count - 1]
    let close = Decimal(string: last.close.fixed(2))!
    let trade = Observed(Trade(quantity: 0, price: close))
    let noted = Notes<Trade>()
    let subscription = trade.observe { @MainActor change in noted.add(change.new) }
    let ticket = TradeTicket(trade, near: close)
    page.line("  \(last.symbol), last close \(last.close.fixed(2))")
    page.line()
    page.line(page.styled("  key           field     text", .dim))
    for key in script(for: last.close) {
      ticket.press(key)
      page.line(row(key, of: ticket, on: page))
    }
    page.line()
    page.say(
      "The property was written \(counted(noted.items.count, "time")): "
        + listed(noted.items.map { "\($0.quantity) at \($0.price)" }) + ".")
    subscription.cancel()
  }

  /// A thousand and fifty shares with a slip or two, at a price that is wrong at first.
  private static func script(for close: Double) -> [Key] {
    var keys: [Key] = []
    func type(_ text: String) { keys += text.map(Key.character) }
    type("105x0")
    keys += [.left, .left, .left, .backspace, .character("2"), .nextField]
    keys += [.end] + Array(repeating: .backspace, count: close.fixed(2).count)
    type(".")
    keys += [.backspace, .paste("$\((close * 2).fixed(2))"), .enter, .escape, .end, .character("5")]
    type("5-")
    keys += [.enter]
    return keys
  }

  private static func row(_ key: Key, of ticket: TradeTicket, on page: Page) -> String {
    var text = ticket.field.control.text
    text.insert("|", at: text.index(text.startIndex, offsetBy: ticket.field.control.selection.upperBound))
    let row = "  \(key.name.padded(to: 14))\(ticket.field.name.padded(to: 10))\(text.padded(to: 12))"
    switch ticket.outcome {
    case .bought: return row + page.styled("Bought.", .green)
    case .rejected(let reasons): return row + page.styled("Not bought. \(reasons)", .red)
    case nil: return ticket.field.remark.map { row + page.styled($0, .red) } ?? row
    }
  }
}
