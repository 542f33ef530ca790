import Foundation
import Testing
import Tidings
import TidingsInteractors

@testable import tour

@MainActor
struct TradeTicketTests {
  private let trade = Observed(Trade(quantity: 0, price: 100))
  private let ticket: TradeTicket

  init() { ticket = TradeTicket(trade, near: 100) }

  private func press(_ keys: Key...) { for key in keys { ticket.press(key) } }
  private func type(_ text: String) { for character in text { ticket.press(.character(character)) } }

  @Test func `What was typed is bought as one change`() {
    let noted = Notes<Trade>()
    let subscription = trade.observe { @MainActor change in noted.add(change.new) }
    type("1500")
    press(.nextField, .end, .backspace, .backspace, .backspace, .character("5"))
    #expect(ticket.field.control.text == "105")
    #expect(trade.value == Trade(quantity: 0, price: 100))
    press(.enter)
    #expect(noted.items == [Trade(quantity: 1500, price: 105)])
    subscription.cancel()
  }

  @Test func `A price that is too far off is not bought, with the reason, and stays on the ticket`() {
    type("1")
    press(.nextField, .end, .backspace, .backspace, .backspace, .backspace, .backspace)
    press(.paste("USD 111"), .enter)
    guard case .rejected(let reasons) = ticket.outcome else {
      Issue.record("it was bought")
      return
    }
    #expect(reasons == "Too far off the last close.")
    #expect(trade.value == Trade(quantity: 0, price: 100))
    #expect(ticket.field.control.text.contains("111"))
  }

  @Test func `Both reasons are given when both are wrong`() {
    press(.nextField, .end, .backspace, .backspace, .backspace, .backspace, .backspace, .enter)
    guard case .rejected(let reasons) = ticket.outcome else {
      Issue.record("it was bought")
      return
    }
    #expect(reasons == "At least one share. Too far off the last close.")
  }

  @Test func `Escape takes back the field, and not the other`() {
    type("12")
    press(.nextField, .end, .character("5"), .escape)
    #expect(ticket.fields.map(\.control.text) == ["12", "100.0"])
  }

  @Test func `Tab goes round, and the caret goes as far as the text`() {
    type("7")
    press(.right, .right, .left, .left, .left, .character("1"))
    #expect(ticket.field.control.text == "17")
    press(.nextField, .nextField)
    #expect(ticket.focus == 0)
    press(.previousField)
    #expect(ticket.field.name == "price")
  }

  @Test func `The screen shows both fields, what is wrong and what was bought`() {
    let editor = TradeEditor(Price(symbol: "ACME", day: Day("Jan 1 2001")!, close: 100))
    #expect(editor.lines[0] == "Buying ACME, last close 100.00")
    #expect(editor.lines[3].contains("price"))
    #expect(editor.lines.contains { $0.contains("Nothing bought yet.") })
    #expect(editor.lines.allSatisfy { $0.count <= Page.width })
  }
}
