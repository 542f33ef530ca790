// The controls of one's own that the guide shows, as a program.
import Foundation
import Tidings
import TidingsInteractors

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

TerminalLine().key("7")
web(Observed(Decimal(12)))
