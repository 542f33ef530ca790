public import Tidings

/// A text field, as an interactor sees it: its text, and the hooks and events of a person's edits.
///
/// ```swift
/// final class TerminalLine: TextControl {
///   private(set) var text = ""
///   private(set) var selection = 0..<0
///   private(set) var isEditing = false
///   let signals = TextControlSignals()
///   func show(_ edited: EditedText) { (text, selection) = (edited.text, edited.selection) }
///
///   func key(_ character: Character) {
///     let edit = TextEdit(replacing: selection, with: String(character))
///     guard shouldChange.allows(edit) else { return }
///     show(EditedText(edit.applied(to: text), caret: selection.lowerBound + 1))
///     didChange.emit()
///   }
///   func focus(_ isEditing: Bool) {
///     self.isEditing = isEditing
///     isEditing ? didBeginEditing.emit() : didEndEditing.emit()
///   }
/// }
/// ```
///
/// A control calls a hook before it makes a person's edit, and emits an event afterwards. For what a program does, by
/// ``show(_:)``, it does neither. Everything happens on the main actor, in place: the answer is available when the call
/// returns. ``MemoryTextControl`` is a control without a screen; the guide "Interactors" has those of the platforms.
@MainActor
public protocol TextControl: AnyObject {
  /// The current text.
  var text: String { get }
  /// The selection, in characters. An empty range is the caret.
  var selection: Range<Int> { get }
  /// Whether the control is being edited: it has the focus.
  var isEditing: Bool { get }
  /// Whether an input method is composing part of the text, which must not be changed then. When it has finished, emit
  /// ``didChange``: what was composed is then taken like a paste. False unless implemented.
  var isComposing: Bool { get }
  /// Shows a text that a program has set, without calling a hook or emitting an event.
  ///
  /// - Parameter edited: The text and the selection.
  func show(_ edited: EditedText)
  /// The hooks and events: one object, made with the control.
  var signals: TextControlSignals { get }
}

extension TextControl {
  public var isComposing: Bool { false }

  /// Asks whether an edit may be made. Called for every key, deletion and paste, before the edit is made.
  ///
  /// A handler that wants another text than the plain edit gives shows it itself, emits ``didChange`` and answers false:
  /// then the control has nothing left to do. False without a change is a rejection.
  public var shouldChange: LocalHook<TextEdit, Bool, Never> { signals.shouldChange }
  /// Asks whether the whole text may be cleared.
  public var shouldClear: LocalHook<Void, Bool, Never> { signals.shouldClear }
  /// Asks whether the return key may end the editing.
  public var shouldReturn: LocalHook<Void, Bool, Never> { signals.shouldReturn }
  /// Emitted after a person has changed the text.
  public var didChange: LocalEvent<Void> { signals.didChange }
  /// Emitted when the control has received the focus.
  public var didBeginEditing: LocalEvent<Void> { signals.didBeginEditing }
  /// Emitted when the control has lost the focus.
  public var didEndEditing: LocalEvent<Void> { signals.didEndEditing }
}
