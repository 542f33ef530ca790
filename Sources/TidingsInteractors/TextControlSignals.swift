public import Tidings

/// The hooks and events of a ``TextControl``, in one object.
@MainActor
public final class TextControlSignals {
  /// Asked before a user's edit is applied; false rejects it.
  public let shouldChange = LocalHook<TextEdit, Bool, Never>("control.shouldChange")
  /// Asked before the text is cleared; false rejects that.
  public let shouldClear = LocalHook<Void, Bool, Never>("control.shouldClear")
  /// Asked when the return key is pressed.
  public let shouldReturn = LocalHook<Void, Bool, Never>("control.shouldReturn")
  /// Emitted after a user's edit has been applied.
  public let didChange = LocalEvent<Void>("control.didChange")
  /// Emitted when editing has begun.
  public let didBeginEditing = LocalEvent<Void>("control.didBeginEditing")
  /// Emitted when editing has ended.
  public let didEndEditing = LocalEvent<Void>("control.didEndEditing")

  /// Makes hooks and events without handlers.
  public init() {}
}
