import Tidings

/// A text control for fields that only tell afterwards what stands in them: an input of a web page, SwiftUI's `TextField`.
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
/// From what is reported it finds out what the person did, asks as if it had not been done yet, and sets the field right
/// where that is not what comes of it. Report also where the caret goes: it tells which key deletes.
@MainActor
public final class ReportedTextControl: TextControl {
  public private(set) var text: String
  public private(set) var selection: Range<Int>
  public private(set) var isEditing = false
  /// Set it while an input method is at work, and report the text when it is done.
  public var isComposing = false
  public let signals = TextControlSignals()
  private let showing: @MainActor (EditedText) -> Void
  private var showings = 0

  /// - Parameters:
  ///   - text: What stands in the field now.
  ///   - show: Sets the field. What the field then tells by itself may be reported or not.
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

  /// A person has changed the text or moved the caret: the field holds this now.
  public func report(_ edited: EditedText) {
    guard edited.text != text else {
      selection = edited.selection
      return
    }
    begin()
    let edit = TextEdit(from: text, to: edited.text, caret: edited.selection.lowerBound)
    let before = showings
    if shouldChange.allows(edit) {
      place(edited)
      didChange.emit()
    } else if showings == before {
      // Refused: nobody has shown anything else, and the field still holds what it reported.
      showing(EditedText(text, selection: selection))
    }
  }

  /// The field has got the focus.
  public func begin() {
    guard !isEditing else { return }
    isEditing = true
    didBeginEditing.emit()
  }

  /// The field has lost the focus.
  public func end() {
    guard isEditing else { return }
    isEditing = false
    didEndEditing.emit()
  }

  /// Return was pressed. Whether the field may give up the focus.
  public func pressReturn() -> Bool { shouldReturn.allows(()) }

  private func place(_ edited: EditedText) { (text, selection) = (edited.text, edited.selection) }
}
