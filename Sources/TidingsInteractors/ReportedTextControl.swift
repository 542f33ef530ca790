import Tidings

/// A text control for fields that report their text only after an edit: an input of a web page, SwiftUI's `TextField`.
///
/// ```swift
/// let control = ReportedTextControl { edited in
///   input.value = edited.text
///   input.select(edited.utf16Selection)
/// }
/// input.onInput { control.report(EditedText(input.value, utf16Selection: input.selection)) }
/// input.onSelect { control.report(EditedText(input.value, utf16Selection: input.selection)) }
/// ```
///
/// It determines the person's edit from the reported text, calls the hooks as if the edit had not been made yet, and
/// corrects the field if the outcome differs. Report the position of the caret and the selection too: they show which key
/// deletes, and what a paste replaces.
@MainActor
public final class ReportedTextControl: TextControl {
  public private(set) var text: String
  public private(set) var selection: Range<Int>
  public private(set) var isEditing = false
  /// Whether an input method is composing. Set it meanwhile, and report the text when it has finished, also if it is the text
  /// that was reported last.
  public var isComposing = false
  public let signals = TextControlSignals()
  private let showing: @MainActor (EditedText) -> Void
  private var showings = 0
  /// Whether the text was reported while an input method composed it.
  private var isComposed = false

  /// Makes a control.
  ///
  /// - Parameters:
  ///   - text: The current text of the field.
  ///   - show: Sets the field. What the field then reports by itself may be passed on or not.
  public init(_ text: String = "", show: @escaping @MainActor (EditedText) -> Void) {
    self.text = text
    selection = text.count..<text.count
    showing = show
  }

  public func show(_ edited: EditedText) {
    place(edited)
    showings += 1
    showing(edited)
  }

  /// Call it when a person has changed the text or moved the caret.
  ///
  /// - Parameter edited: The current text and selection of the field.
  public func report(_ edited: EditedText) {
    guard edited.text != text else {
      selection = edited.selection
      // The input method has confirmed the text that was reported while it composed.
      if isComposed, !isComposing {
        isComposed = false
        didChange.emit()
      }
      return
    }
    begin()
    isComposed = isComposing
    let edit = TextEdit(from: EditedText(text, selection: selection), to: edited)
    let before = showings
    if shouldChange.allows(edit) {
      place(edited)
      didChange.emit()
    } else if showings == before {
      // Rejected: no other text was shown, and the field still has what it reported.
      showing(EditedText(text, selection: selection))
    }
  }

  /// Call it when the field has received the focus.
  public func begin() {
    guard !isEditing else { return }
    isEditing = true
    didBeginEditing.emit()
  }

  /// Call it when the field has lost the focus.
  public func end() {
    guard isEditing else { return }
    isEditing = false
    didEndEditing.emit()
  }

  /// Call it when return was pressed.
  ///
  /// - Returns: Whether the field may give up the focus.
  public func pressReturn() -> Bool { shouldReturn.allows(()) }

  private func place(_ edited: EditedText) { (text, selection) = (edited.text, edited.selection) }
}
