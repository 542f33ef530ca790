public import Tidings

/// A text field, as an interactor sees it: what stands in it, and what it asks and tells while somebody edits.
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
/// A control asks before it does what a person wants, and tells when it is done. What a program does to it, by
/// ``show(_:)``, it neither asks nor tells. Everything happens on the main actor, in place: an answer is there when the
/// asking returns. ``MemoryTextControl`` is one without a screen; the guide "Interactors" has those of the platforms.
@MainActor
public protocol TextControl: AnyObject {
  /// What stands in it now.
  var text: String { get }
  /// What of it is selected, in characters. Empty: the caret.
  var selection: Range<Int> { get }
  /// Whether somebody is at it: it has the focus.
  var isEditing: Bool { get }
  /// Whether an input method is at work on part of the text. The text is left alone then. False unless given.
  var isComposing: Bool { get }
  /// Shows a text that a program has set, and asks and tells nobody.
  func show(_ edited: EditedText)
  /// What it asks and tells: one object, made with the control.
  var signals: TextControlSignals { get }
}

extension TextControl {
  public var isComposing: Bool { false }

  /// May this edit be made? Asked for every key, deletion and paste, before it is done.
  ///
  /// A handler that wants another text than the raw edit gives shows it itself, emits ``didChange`` and answers false:
  /// it is done, and there is nothing left to do. False without a change is a refusal.
  public var shouldChange: LocalHook<TextEdit, Bool, Never> { signals.shouldChange }
  /// May the text be cleared at one stroke?
  public var shouldClear: LocalHook<Void, Bool, Never> { signals.shouldClear }
  /// May the return key end the editing?
  public var shouldReturn: LocalHook<Void, Bool, Never> { signals.shouldReturn }
  /// A person has changed the text, and it stands there already.
  public var didChange: LocalEvent<Void> { signals.didChange }
  public var didBeginEditing: LocalEvent<Void> { signals.didBeginEditing }
  public var didEndEditing: LocalEvent<Void> { signals.didEndEditing }
}

/// The questions and tellings of a ``TextControl``, in one object.
@MainActor
public final class TextControlSignals {
  public let shouldChange = LocalHook<TextEdit, Bool, Never>("control.shouldChange")
  public let shouldClear = LocalHook<Void, Bool, Never>("control.shouldClear")
  public let shouldReturn = LocalHook<Void, Bool, Never>("control.shouldReturn")
  public let didChange = LocalEvent<Void>("control.didChange")
  public let didBeginEditing = LocalEvent<Void>("control.didBeginEditing")
  public let didEndEditing = LocalEvent<Void>("control.didEndEditing")

  public init() {}
}
