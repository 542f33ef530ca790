// The code that the guide and the documentation comments show of interactors, as one program.
import Foundation
import Tidings
import TidingsCollections
import TidingsInteractors

struct Position: Identifiable, Equatable, Sendable {
  let id: Int
  var quantity: Int
}
struct Address: Equatable, Sendable {
  var street: String
  var number: Int
}
struct Person: Equatable, Sendable {
  var name: String
  var address: Address
}
enum Margin: Error { case negative }
actor Firm {
  func approve(_ price: Decimal) throws {}
}
@MainActor final class Label { var text = "" }
@MainActor final class Button {
  var isEnabled = false
  func onPress(_ action: @escaping @MainActor () -> Void) {}
}
@MainActor final class Choice { var isVisible = false }

// MARK: The smallest

@MainActor func overview() {
  let field = MemoryTextControl()
  let price = Observed(Decimal(12))
  let interactor = Interactor(price, in: field, as: .decimal(locale: Locale(identifier: "de_DE")))

  print(field.text)  // 12,0
  field.selectAll()
  field.type("1234,5")
  print(field.text)  // 1.234,5
  field.end()
  print(price.value)  // 1234.5
  price.set(7)
  print(field.text)  // 7,0
  field.deleteBackward()
  withExtendedLifetime(interactor) {}
}
@MainActor func typing(_ price: Observed<Decimal>, _ format: DecimalFormat) {
  let field = MemoryTextControl()
  let interactor = Interactor(price, in: field, as: format)
  field.type("12")
  field.deleteBackward()
  field.end()
  withExtendedLifetime(interactor) {}
}
@MainActor func explaining(_ price: Observed<Double>, _ field: some TextControl, _ format: some TextFormat<Double>) {
  let hint = Label()
  let interactor = Interactor(price, in: field, as: format, validators: [.require("Above zero, please.") { $0 > 0 }])
  let subscription = interactor.explanation.observe(.initial) { change in hint.text = change.new ?? "" }
  subscription.cancel()
}

// MARK: When it is written

@MainActor func committing(_ price: Observed<Decimal>, _ field: some TextControl) throws {
  let live = Interactor(price, in: field, as: .decimal(), committing: .everyChange)
  live.deactivate()
  let interactor = Interactor(price, in: field, as: .decimal(), committing: .explicitly)
  try interactor.commit()
  interactor.revert()
}

// MARK: Conflicts

@MainActor func resolving(_ interactor: Interactor<Decimal>) {
  let (choice, keep, take) = (Choice(), Button(), Button())
  let subscription = interactor.conflict.observe { change in choice.isVisible = change.new != nil }
  keep.onPress { interactor.keepMine() }
  take.onPress { interactor.takeTheirs() }
  subscription.cancel()
}
@MainActor func resolving(_ form: Form) {
  let (choice, keep, take) = (Choice(), Button(), Button())
  let subscription = form.hasConflict.observe(.initial) { change in choice.isVisible = change.new }
  keep.onPress { form.keepMine() }
  take.onPress { form.takeTheirs() }
  subscription.cancel()
}

// MARK: Validators

@MainActor func validating(_ price: Observed<Decimal>, _ field: some TextControl, _ cost: Observed<Decimal>)
  async throws
{
  let firm = Firm()
  let validators: [Validator<Decimal>] = [
    .require("A price is above zero.") { $0 > 0 },
    Validator { price throws(Margin) in if price < cost.value { throw Margin.negative } },
    .later { price in try await firm.approve(price) },
  ]
  let interactor = Interactor(price, in: field, as: .decimal(), committing: .explicitly, validators: validators)
  await interactor.idle()
  try interactor.commit()
}

actor Server {
  func check(_ name: String) throws {}
}
func debouncing(_ server: Server) -> [Validator<String>] {
  let validators: [Validator<String>] = [
    .require("A name has at least three letters.") { $0.count >= 3 },
    .later { name in
      try await Task.sleep(for: .milliseconds(300))
      try await server.check(name)
    },
  ]
  return validators
}

// MARK: Parts

@MainActor func parts(_ field: some TextControl) {
  let person = Observed(Person(name: "Ada", address: Address(street: "St James's Square", number: 12)))
  let street = Projection(person).address.street  // Projection<String>
  street.set("Dorset Street")
  let interactor = Interactor(Projection(person).address.street, in: field, as: .text)
  interactor.deactivate()
}

// MARK: Elements of collections

@MainActor func elements(_ positions: ObservedArray<Position>, _ id: Int, _ field: some TextControl) {
  do {
    let quantity = Projection(positions.reference(to: id))?.quantity  // Projection<Int>?
    quantity?.set(2)
  }
  guard let position = Projection(positions.reference(to: id)) else { return }
  let quantity = Interactor(position.quantity, in: field, as: .integer(), committing: .explicitly)
  quantity.deactivate()
}

// MARK: Forms

@MainActor func forms(_ person: Observed<Person>, _ low: Observed<Int>, _ high: Observed<Int>) throws {
  let fields = [MemoryTextControl(), MemoryTextControl(), MemoryTextControl()]
  let saveButton = Button()
  let name = Interactor(Projection(person).name, in: fields[0], as: .text, committing: .explicitly)
  let street = Interactor(Projection(person).address.street, in: fields[1], as: .text, committing: .explicitly)
  let number = Interactor(Projection(person).address.number, in: fields[2], as: .integer(), committing: .explicitly)
  let form = Form(name, street, number)
  let subscription = form.isValid.observe(.initial) { change in saveButton.isEnabled = change.new }
  form.require { if low.value > high.value { throw InputRejection(.other, "The lower one is above the upper one.") } }
  try form.commit()
  form.revert()
  subscription.cancel()
}

@MainActor func passwords() {
  let fields = [MemoryTextControl(), MemoryTextControl()]
  let password = Interactor(Observed(""), in: fields[0], as: .text, committing: .explicitly)
  let repeated = Interactor(Observed(""), in: fields[1], as: .text, committing: .explicitly)
  let form = Form(password, repeated)
  let agree = Derived { [first = password.draft, second = repeated.draft] in first.value == second.value }
  let canSubmit = Derived { form.isValid.value && agree.value }
  print(canSubmit.value)
}

// MARK: Two values

func binding(_ volume: Observed<Double>, _ slider: Observed<Double>) {
  let bond = bind(volume, slider)
  bond.cancel()
}
func converting(_ price: Observed<Decimal>, _ text: Observed<String>, _ format: DecimalFormat) {
  let celsius = Conversion<Double, Double>(to: { $0 - 273.15 }, from: { $0 + 273.15 })
  let bond = bind(price, text, via: Conversion(format))
  let subscription = bond.error.observe { change in print(change.new ?? "all is well") }
  subscription.cancel()
  withExtendedLifetime(celsius) {}
}

// MARK: Controls of one's own

final class TerminalLine: TextControl {
  private(set) var text = ""
  private(set) var selection = 0..<0
  private(set) var isEditing = false
  let signals = TextControlSignals()
  func show(_ edited: EditedText) { (text, selection) = (edited.text, edited.selection) }

  func key(_ character: Character) {
    let edit = TextEdit(replacing: selection, with: String(character))
    guard shouldChange.allows(edit) else { return }
    show(EditedText(edit.applied(to: text), caret: selection.lowerBound + 1))
    didChange.emit()
  }
  func focus(_ isEditing: Bool) {
    self.isEditing = isEditing
    isEditing ? didBeginEditing.emit() : didEndEditing.emit()
  }
}

/// Represents an input of a web page.
@MainActor final class Input {
  var value = ""
  var selection = 0..<0
  private var input: () -> Void = {}
  private var focus: () -> Void = {}
  private var blur: () -> Void = {}
  private var select: () -> Void = {}
  func select(_ range: Range<Int>) { selection = range }
  func onInput(_ body: @escaping () -> Void) { input = body }
  func onFocus(_ body: @escaping () -> Void) { focus = body }
  func onBlur(_ body: @escaping () -> Void) { blur = body }
  func onSelect(_ body: @escaping () -> Void) { select = body }
  func type(_ text: String) {
    focus()
    select()
    (value, selection) = (text, text.utf16.count..<text.utf16.count)
    input()
    blur()
  }
}
@MainActor func web(_ price: Observed<Decimal>) {
  let input = Input()
  let control = ReportedTextControl { edited in
    input.value = edited.text
    input.select(edited.utf16Selection)
  }
  input.onInput { control.report(EditedText(input.value, utf16Selection: input.selection)) }
  input.onSelect { control.report(EditedText(input.value, utf16Selection: input.selection)) }
  input.onFocus { control.begin() }
  input.onBlur { control.end() }
  let interactor = Interactor(price, in: control, as: .decimal(locale: Locale(identifier: "en_US")))
  input.type("4321")
  print(price.value, input.value)
  withExtendedLifetime(interactor) {}
}

#if canImport(UIKit)
import UIKit

/// A `UITextField`, whose delegate it is.
final class FieldControl: NSObject, TextControl, UITextFieldDelegate {
  let signals = TextControlSignals()
  private let field: UITextField

  init(_ field: UITextField) {
    self.field = field
    super.init()
    field.delegate = self
    field.addTarget(self, action: #selector(changed), for: .editingChanged)
  }

  var text: String { field.text ?? "" }
  var isEditing: Bool { field.isEditing }
  var isComposing: Bool { field.markedTextRange != nil }
  var selection: Range<Int> {
    guard let range = field.selectedTextRange else { return text.count..<text.count }
    let start = field.offset(from: field.beginningOfDocument, to: range.start)
    let end = field.offset(from: field.beginningOfDocument, to: range.end)
    return EditedText(text, utf16Selection: start..<end).selection
  }
  func show(_ edited: EditedText) {
    field.text = edited.text
    let (units, origin) = (edited.utf16Selection, field.beginningOfDocument)
    if let start = field.position(from: origin, offset: units.lowerBound),
      let end = field.position(from: origin, offset: units.upperBound)
    {
      field.selectedTextRange = field.textRange(from: start, to: end)
    }
  }

  @objc private func changed() { didChange.emit() }
  func textField(_ field: UITextField, shouldChangeCharactersIn range: NSRange, replacementString: String) -> Bool {
    let units = range.location..<range.location + range.length
    return shouldChange.allows(TextEdit(replacingUTF16: units, with: replacementString, in: text))
  }
  func textFieldShouldClear(_ field: UITextField) -> Bool { shouldClear.allows(()) }
  func textFieldShouldReturn(_ field: UITextField) -> Bool {
    if shouldReturn.allows(()) { field.resignFirstResponder() }
    return false
  }
  func textFieldDidBeginEditing(_ field: UITextField) { didBeginEditing.emit() }
  func textFieldDidEndEditing(_ field: UITextField) { didEndEditing.emit() }
}
#elseif canImport(AppKit)
import AppKit

/// A field that is its own control. AppKit makes it the delegate of its field editor.
final class ControlledField: NSTextField, NSTextViewDelegate, TextControl {
  let signals = TextControlSignals()
  private var editor: NSTextView? { currentEditor() as? NSTextView }

  var text: String { editor?.string ?? stringValue }
  var isEditing: Bool { editor != nil }
  var isComposing: Bool { editor?.hasMarkedText() ?? false }
  var selection: Range<Int> {
    guard let range = editor?.selectedRange() else { return text.count..<text.count }
    return EditedText(text, utf16Selection: range.location..<range.location + range.length).selection
  }
  func show(_ edited: EditedText) {
    guard let editor else {
      stringValue = edited.text
      return
    }
    let units = edited.utf16Selection
    editor.string = edited.text
    editor.setSelectedRange(NSRange(location: units.lowerBound, length: units.count))
  }

  func textView(_ view: NSTextView, shouldChangeTextIn range: NSRange, replacementString: String?) -> Bool {
    guard let replacementString else { return true }
    let units = range.location..<range.location + range.length
    return shouldChange.allows(TextEdit(replacingUTF16: units, with: replacementString, in: text))
  }
  func textView(_ view: NSTextView, doCommandBy command: Selector) -> Bool {
    command == #selector(NSResponder.insertNewline(_:)) && !shouldReturn.allows(())
  }
  override func textDidBeginEditing(_ notification: Notification) {
    super.textDidBeginEditing(notification)
    didBeginEditing.emit()
  }
  override func textDidChange(_ notification: Notification) {
    super.textDidChange(notification)
    didChange.emit()
  }
  override func textDidEndEditing(_ notification: Notification) {
    super.textDidEndEditing(notification)
    didEndEditing.emit()
  }
}
#endif

let price = Observed(Decimal(string: "12.5") ?? 0)
let format = DecimalFormat(locale: Locale(identifier: "de_DE"))
let field = MemoryTextControl()
overview()
typing(price, format)
explaining(Observed(1.5), field, Doubles())
try committing(price, field)
try await validating(price, field, Observed(Decimal(1)))
parts(field)
elements(ObservedArray([Position(id: 1, quantity: 1)]), 1, field)
let ada = Observed(Person(name: "Ada", address: Address(street: "St James's Square", number: 12)))
try forms(ada, Observed(1), Observed(9))
binding(Observed(0.5), Observed(0.0))
converting(price, Observed(""), format)
TerminalLine().key("7")
web(price)

/// A format of one's own.
struct Doubles: TextFormat {
  func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText { .applying(edit, to: text) }
  func parse(_ text: String) throws(InputRejection) -> Double {
    guard let value = Double(text) else { throw InputRejection(.incomplete, "“\(text)” is no number.") }
    return value
  }
  func format(_ value: Double) -> String { "\(value)" }
}
