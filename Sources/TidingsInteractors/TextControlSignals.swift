public import Tidings

/// The hooks and events of a ``TextControl``, in one object.
@MainActor
public final class TextControlSignals {
  public let shouldChange = LocalHook<TextEdit, Bool, Never>("control.shouldChange")
  public let shouldClear = LocalHook<Void, Bool, Never>("control.shouldClear")
  public let shouldReturn = LocalHook<Void, Bool, Never>("control.shouldReturn")
  public let didChange = LocalEvent<Void>("control.didChange")
  public let didBeginEditing = LocalEvent<Void>("control.didBeginEditing")
  public let didEndEditing = LocalEvent<Void>("control.didEndEditing")

  /// Makes hooks and events without handlers.
  public init() {}
}
