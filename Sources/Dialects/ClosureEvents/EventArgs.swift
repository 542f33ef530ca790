/// The arguments of an event, in one object: a struct or a class.
///
/// ```swift
/// struct Tick: EventArgs { let count: Int }
/// final class Closing: EventArgs { var isRejected = false }
/// ```
///
/// The properties of a struct are passed to the closures. A class also carries an answer back, in a `var` that a closure sets: for
/// that the event must deliver on its caller, ``Delivery/immediate``, or the caller would read before a closure has answered.
///
/// With any other delivery the object is handed to another thread. No `Sendable` is asked for; a class that both sides
/// continue changing is theirs to protect. As in the original, where this protocol is empty too.
public protocol EventArgs {}

/// For events without arguments.
///
/// ```swift
/// let opened = Event<Door, EmptyArgs>(sender: door)
/// opened.invoke(with: EmptyArgs())
/// ```
public struct EmptyArgs: EventArgs, Sendable {
  /// Makes one; all are alike. Public, which the original's is not.
  public init() {}
}
