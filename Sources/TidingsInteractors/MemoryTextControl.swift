import Tidings

/// A text control without a screen: for tests, and for programs without a user interface.
///
/// ```swift
/// let field = MemoryTextControl()
/// let interactor = Interactor(price, in: field, as: format)
/// field.type("12")
/// field.deleteBackward()
/// field.end()
/// ```
///
/// It calls the hooks before each edit, as a field on a screen does for a person's edits. An edit of a control that is not
/// being edited begins the editing. Each method returns whether the edit was made.
@MainActor
public final class MemoryTextControl: TextControl {
  public private(set) var text: String
  public private(set) var selection: Range<Int>
  public private(set) var isEditing = false
  /// Whether an input method is composing. Set it to simulate one.
  public var isComposing = false
  public let signals = TextControlSignals()
  /// How often a program has shown a text here.
  public private(set) var showings = 0

  /// Makes a control.
  ///
  /// - Parameter text: The initial text.
  public init(_ text: String = "") {
    self.text = text
    selection = text.count..<text.count
  }

  public func show(_ edited: EditedText) {
    showings += 1
    place(edited)
  }

  // MARK: What a person does

  /// Moves the focus to the control, with the caret at the end.
  public func begin() {
    guard !isEditing else { return }
    isEditing = true
    selection = text.count..<text.count
    didBeginEditing.emit()
  }

  /// Moves the focus away.
  public func end() {
    guard isEditing else { return }
    isEditing = false
    didEndEditing.emit()
  }

  /// Types characters one after the other. A rejected character does not prevent the next.
  ///
  /// - Parameter characters: The characters.
  /// - Returns: Whether it was done.
  @discardableResult
  public func type(_ characters: String) -> Bool {
    begin()
    return characters.reduce(true) { change(selection, to: String($1)) && $0 }
  }

  /// Replaces the selection by a text, as one edit.
  ///
  /// - Parameter text: The text.
  /// - Returns: Whether it was done.
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

  /// Deletes the selection, or the character after the caret.
  @discardableResult
  public func deleteForward() -> Bool {
    begin()
    let end = selection.isEmpty ? min(text.count, selection.upperBound + 1) : selection.upperBound
    return delete(selection.lowerBound..<end, .forward)
  }

  /// Selects characters. The range is clamped to the text.
  ///
  /// - Parameter range: The offsets, in characters.
  public func select(_ range: Range<Int>) {
    begin()
    selection = range.clamped(to: 0..<text.count)
  }

  /// Moves the caret to before the character at `offset`.
  ///
  /// - Parameter offset: The offset, in characters.
  public func moveCaret(to offset: Int) { select(offset..<offset) }

  /// Selects the whole text.
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

  /// Presses return, which ends the editing unless a handler objects.
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

  /// Whether the text differs afterwards, whichever code has changed it.
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
