import Foundation
import Tidings
import TidingsCollections
import TidingsInteractors

/// Edits one position. Several editors may edit the same one.
@MainActor public final class PositionEditor {
  public enum Field: String, Codable, CodingKeyRepresentable, Sendable { case quantity, paid }
  public struct State: Encodable, Equatable, Sendable {
    public let symbol: String
    public let texts: [Field: String]
    /// The reasons why the texts cannot be saved; empty if they can.
    public let hint: String
    /// Whether the position was changed elsewhere since it was edited here.
    public let isConflict: Bool
  }
  /// Nil while there is no such position: another screen may remove it, and an undo brings it back.
  let state: Derived<State?>
  private let controls = [Field.quantity: ReportedTextControl { _ in }, .paid: ReportedTextControl { _ in }]
  /// Saves both texts as one step of the history, and resolves conflicts of both.
  let form: Form

  /// Makes an editor, unless the position has been removed.
  init?(_ id: UUID, in positions: ObservedArray<Position>) {
    guard let position = Projection(positions.reference(to: id)) else { return nil }
    let locale = Locale(identifier: "en_US")
    let quantity = Interactor(
      position.quantity, in: controls[.quantity]!, as: .integer(locale: locale, allowsNegative: false),
      committing: .explicitly, validators: [.require("A quantity is above zero.") { $0 > 0 }])
    let paid = Interactor(
      position.paid, in: controls[.paid]!,
      as: .decimal(locale: locale, fractionDigits: 2...2, allowsNegative: false), committing: .explicitly)
    let (form, element) = (Form(quantity, paid), positions.element(for: id))
    state = Derived("editor.state") {
      guard let position = element.value else { return nil }
      return State(
        symbol: position.symbol, texts: [.quantity: quantity.draft.value, .paid: paid.draft.value],
        hint: form.explanations.value.joined(separator: " "), isConflict: form.hasConflict.value)
    }
    self.form = form
  }

  func type(_ text: String, in field: Field) { controls[field]?.report(EditedText(text, caret: text.count)) }
}
