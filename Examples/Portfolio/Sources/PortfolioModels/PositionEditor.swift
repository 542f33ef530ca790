import Foundation
import Tidings
import TidingsCollections
import TidingsInteractors
import TidingsState

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
  private let quantity: Interactor<Int>
  private let paid: Interactor<Decimal>
  private let form: Form
  private let scope = Scope()

  init(_ position: Position, in positions: ObservedArray<Position>) {
    // An interactor edits a value and no element of an array. So this value and the element follow each other.
    let edited = Observed(position, label: "editor.position", changes: .distinct)
    let element = Derived("editor.element") { positions.value.first { $0.id == position.id } }
    element.observe { change in if let new = change.new { edited.set(new) } }.store(in: scope)
    edited.observe { change in
      guard let index = positions.snapshot.firstIndex(where: { $0.id == position.id }) else { return }
      if positions[index] != change.new { positions.set(change.new, at: index) }
    }.store(in: scope)

    let locale = Locale(identifier: "en_US")
    let quantity = Interactor(
      Projection(edited).quantity, in: controls[.quantity]!, as: .integer(locale: locale, allowsNegative: false),
      committing: .explicitly, validators: [.require("A quantity is above zero.") { $0 > 0 }])
    let paid = Interactor(
      Projection(edited).paid, in: controls[.paid]!,
      as: .decimal(locale: locale, fractionDigits: 2...2, allowsNegative: false), committing: .explicitly)
    let form = Form(quantity, paid)
    state = Derived("editor.state") {
      if element.value == nil { return nil }
      return State(
        symbol: position.symbol, texts: [.quantity: quantity.draft.value, .paid: paid.draft.value],
        hint: form.explanations.value.joined(separator: " "),
        isConflict: form.errors.value.contains { $0 is EditConflict })
    }
    (self.quantity, self.paid, self.form) = (quantity, paid, form)
  }

  func type(_ text: String, in field: Field) { controls[field]?.report(EditedText(text, caret: text.count)) }
  /// Saves both texts, as one step of the history.
  func commit() throws { try form.commit() }
  func keepMine() {
    quantity.keepMine()
    paid.keepMine()
  }
  func takeTheirs() {
    quantity.takeTheirs()
    paid.takeTheirs()
  }
}
