import Foundation
import Tidings
import TidingsInteractors

/// A trade, typed in the terminal.
@MainActor
struct TradeEditor {
  private let ticket: TradeTicket
  private let heading: String
  private let noted = Notes<Trade>()
  private let subscription: Subscription
  private static let labelWidth = 12

  init(_ last: Price) {
    let close = Decimal(string: last.close.fixed(2))!
    let trade = Observed(Trade(quantity: 0, price: close))
    subscription = trade.observe { @MainActor [noted] change in noted.add(change.new) }
    ticket = TradeTicket(trade, near: close)
    heading = "Buying \(last.symbol), last close \(last.close.fixed(2))"
  }

  /// Until the user leaves.
  func run(in terminal: Terminal) {
    var decoder = KeyDecoder()
    terminal.write(lines.joined(separator: "\n") + toCaret)
    while let bytes = terminal.keys() {
      for key in decoder.keys(in: bytes) {
        let start = "\u{1B}[\(2 + ticket.focus)A\r"
        if key == .quit { return terminal.write(start + "\u{1B}[\(lines.count - 1)B\r\n") }
        ticket.press(key)
        terminal.write(start + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + toCaret)
      }
    }
  }

  /// The lines of the screen.
  var lines: [String] {
    [heading, ""]
      + ticket.fields.map { field in
        "  \(field.name.padded(to: Self.labelWidth - 2))\(field.control.text.padded(to: 16))\(field.remark ?? "")"
      } + [
        "", "  \(outcome)", "",
        "  tab: the other field   return: buy   esc: take back   ctrl-d: leave",
      ]
  }
  private var outcome: String {
    if case .rejected(let reasons) = ticket.outcome { return "Not bought. \(reasons)" }
    return noted.items.isEmpty
      ? "Nothing bought yet."
      : "Bought so far: " + listed(noted.items.suffix(3).map { "\($0.quantity) at \($0.price)" }) + "."
  }

  /// From the end of the last line to the caret of the field.
  private var toCaret: String {
    let caret = Self.labelWidth + ticket.field.control.selection.upperBound
    return "\u{1B}[\(lines.count - 1 - 2 - ticket.focus)A\r\u{1B}[\(caret)C"
  }
}
