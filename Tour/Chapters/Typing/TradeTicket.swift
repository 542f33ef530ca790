import Foundation
import Tidings
import TidingsInteractors

/// A purchase: the number of shares and their price.
struct Trade: Hashable, Sendable {
  var quantity: Int
  var price: Decimal
}

/// The form on which a trade is typed: two fields without a screen, and the property that they edit.
@MainActor
final class TradeTicket {
  /// A field, and what is to be said beside it.
  struct Field {
    let name: String
    let control: MemoryTextControl
    /// Why the last key was rejected.
    let rejection: ReadOnly<InputRejection?>
    /// The reason why the text in the field is invalid.
    let explanation: Derived<String?>
    let revert: @MainActor () -> Void

    init<Value>(_ name: String, _ interactor: Interactor<Value>, _ control: MemoryTextControl) {
      (self.name, self.control) = (name, control)
      (rejection, explanation) = (interactor.rejection, interactor.explanation)
      revert = { interactor.revert() }
    }

    /// The message beside the field.
    @MainActor var remark: String? { rejection.value?.description ?? (control.text.isEmpty ? nil : explanation.value) }
  }

  let trade: Observed<Trade>
  let fields: [Field]
  private let form: Form
  private(set) var focus = 0
  /// The result, if the last key was to buy.
  private(set) var outcome: Outcome?
  enum Outcome {
    case bought
    /// With the reasons.
    case rejected(String)
  }

  init(_ trade: Observed<Trade>, near close: Decimal) {
    self.trade = trade
    let (quantityField, priceField) = (MemoryTextControl(), MemoryTextControl())
    let american = Locale(identifier: "en_US")
    let shares = IntegerFormat(locale: american, maximumDigits: 6, allowsNegative: false)
    let dollars = DecimalFormat(locale: american, allowsNegative: false)
    let quantity = Interactor(
      Projection(trade).quantity, in: quantityField, as: shares,
      committing: .explicitly,
      validators: [.require("At least one share.") { $0 > 0 }])
    let price = Interactor(
      Projection(trade).price, in: priceField, as: dollars,
      committing: .explicitly,
      validators: [.require("Too far off the last close.") { abs($0 - close) <= close / 10 }])
    form = Form(quantity, price)
    fields = [Field("quantity", quantity, quantityField), Field("price", price, priceField)]
    fields[0].control.begin()
  }

  var field: Field { fields[focus] }

  func press(_ key: Key) {
    outcome = nil
    switch key {
    case .character(let character): field.control.type(String(character))
    case .paste(let text): field.control.paste(text)
    case .backspace: field.control.deleteBackward()
    case .delete: field.control.deleteForward()
    case .left: field.control.moveCaret(to: max(0, field.control.selection.lowerBound - 1))
    case .right: field.control.moveCaret(to: field.control.selection.upperBound + 1)
    case .home: field.control.moveCaret(to: 0)
    case .end: field.control.moveCaret(to: field.control.text.count)
    case .nextField: move(by: 1)
    case .previousField: move(by: -1)
    case .enter: buy()
    case .escape: field.revert()
    case .quit: break
    }
  }

  private func move(by step: Int) {
    field.control.end()
    focus = (focus + step + fields.count) % fields.count
    field.control.begin()
  }

  private func buy() {
    do {
      try form.commit()
      outcome = .bought
    } catch {
      outcome = .rejected(explanation(of: error).replacing("\n", with: " "))
    }
  }
}
