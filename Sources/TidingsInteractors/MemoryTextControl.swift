import Tidings

/// A text control without a screen: for tests, and for programs that have none.
///
/// ```swift
/// let field = MemoryTextControl()
/// let interactor = Interactor(price, in: field, as: format)
/// field.type("12")
/// field.deleteBackward()
/// field.end()
/// ```
///
/// It asks before it does what it is told to, as a field on a screen does for what a person does, and one that is not
/// being edited begins to be. Each returns whether it was done.
@MainActor
public final class MemoryTextControl: TextControl {
  public private(set) var text: String
  public private(set) var selection: Range<Int>
  public private(set) var isEditing = false
  /// Set it to act like a field in which an input method is at work.
  public var isComposing = false
  public let signals = TextControlSignals()
  /// How often a program has shown something here.
  public private(set) var showings = 0

  public init(_ text: String = "") {
    self.text = text
    selection = text.count..<text.count
  }

  public func show(_ edited: EditedText) {
    showings += 1
    place(edited)
  }

  // MARK: What a person does

  /// Puts the focus in it. The caret stands at the end.
  public func begin() {
    guard !isEditing else { return }
    isEditing = true
    selection = text.count..<text.count
    didBeginEditing.emit()
  }

  /// Takes the focus away.
  public func end() {
    guard isEditing else { return }
    isEditing = false
    didEndEditing.emit()
  }

  /// Types, one character after the other. One that is refused does not keep the next from being typed.
  @discardableResult
  public func type(_ characters: String) -> Bool {
    begin()
    return characters.reduce(true) { change(selection, to: String($1)) && $0 }
  }

  /// Puts a text in place of the selection, all at once.
  @discardableResult
  public func paste(_ text: String) -> Bool {
    begin()
    return change(selection, to: text)
  }

  /// Deletes the selection, or the character before the caret.
  @discardableResult
  public func deleteBackward() -> Bool {
    begin()
    let start = selection.isEmpty ? max(0, selection.lowerBound - 1) : selection.lowerBound
    return delete(start..<selection.upperBound)
  }

  /// Deletes the selection, or the character behind the caret.
  @discardableResult
  public func deleteForward() -> Bool {
    begin()
    let end = selection.isEmpty ? min(text.count, selection.upperBound + 1) : selection.upperBound
    return delete(selection.lowerBound..<end, .forward)
  }

  /// Selects characters; what lies outside the text is left out.
  public func select(_ range: Range<Int>) {
    begin()
    selection = range.clamped(to: 0..<text.count)
  }

  /// Puts the caret before the character at `offset`.
  public func moveCaret(to offset: Int) { select(offset..<offset) }

  public func selectAll() { select(0..<text.count) }

  /// Presses the button that clears the field.
  @discardableResult
  public func clear() -> Bool {
    begin()
    guard shouldClear.allows(()) else { return false }
    place(EditedText("", caret: 0))
    didChange.emit()
    return true
  }

  /// Presses return, which ends the editing unless somebody objects.
  @discardableResult
  public func pressReturn() -> Bool {
    guard isEditing, shouldReturn.allows(()) else { return false }
    end()
    return true
  }

  // MARK: Within

  private func delete(_ range: Range<Int>, _ direction: TextEdit.Direction = .backward) -> Bool {
    !range.isEmpty && change(range, to: "", direction)
  }

  /// Whether the text is another one afterwards, whoever made it so.
  private func change(
    _ range: Range<Int>, to replacement: String, _ direction: TextEdit.Direction = .backward
  ) -> Bool {
    let edit = TextEdit(replacing: range, with: replacement, direction: direction)
    let old = text
    guard shouldChange.allows(edit) else { return text != old }
    place(.applying(edit, to: text))
    didChange.emit()
    return true
  }

  private func place(_ edited: EditedText) {
    text = edited.text
    let end = text.count
    selection = min(max(0, edited.selection.lowerBound), end)..<min(max(0, edited.selection.upperBound), end)
  }
}
