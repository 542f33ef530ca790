/// A closure that an event calls with the object that holds the event, and with the arguments.
///
/// ```swift
/// let show: EventClosure<Clock, Tick> = { clock, tick in print(clock.name, tick.count) }
/// ```
///
/// `@Sendable`, because an event calls it on another thread unless it is made otherwise. The original does not ask for it, and a
/// closure formed on the main actor ran in the background unnoticed.
public typealias EventClosure<Sender, Args: EventArgs> = @Sendable (Sender, Args) -> Void

/// A closure that can be found again: what is added to an event, and taken away from it.
///
/// ```swift
/// let show = Closure<Clock, Tick> { clock, tick in print(clock.name, tick.count) }
/// clock.ticked += show
/// clock.ticked -= show
/// ```
///
/// Two of them are equal when they are the same object, whatever they call. One may be added to several events, and several
/// times to one, which then calls it as often.
///
/// - **Thread**: may be made, added, taken away and invoked on any thread; the closure itself runs where the event delivers.
/// - **Lifetime**: the event keeps it for as long as it is added, so what it captures strongly lives as long; write
///   `[weak self]` or `[unowned self]` for the object that holds the event.
/// - **Cost**: one object. An event calls what is in it directly.
///
/// From the original: the class, its initialiser, `invoke` and equality. Open, so that a subclass gives a long type a short name,
/// as ``PropertyChangeClosure`` does.
open class Closure<Sender, Args: EventArgs>: Equatable, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: what is here is one `let` of a `@Sendable` closure. A subclass that
  // adds a `var` answers for it.
  let closure: EventClosure<Sender, Args>

  /// Wraps a closure; also as `Closure { sender, args in … }`.
  public init(closure: @escaping EventClosure<Sender, Args>) { self.closure = closure }

  /// Calls the closure here and now, without any event.
  public func invoke(sender: Sender, args: Args) { closure(sender, args) }

  /// Whether the two are one object.
  public static func == (left: Closure, right: Closure) -> Bool { left === right }
}
