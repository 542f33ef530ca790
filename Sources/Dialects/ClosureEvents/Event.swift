import DialectSupport
import Tidings

/// Something that happens to an object, to which closures can be added and taken away.
///
/// ```swift
/// final class Clock {
///   lazy var ticked = Event<Clock, Tick>(sender: self)
///   func tick() { ticked.invoke(with: Tick(count: 1)) }
/// }
/// let show = Closure<Clock, Tick> { clock, tick in print(tick.count) }
/// clock.ticked += show
/// ```
///
/// - **Order**: closures are called in the order in which they were added, one at a time, and every closure receives what is
///   invoked in the order of `invoke`. A closure receives what is invoked after it was added, and nothing from before. With
///   ``Delivery/immediate`` a nested or simultaneous `invoke` is delivered immediately, so there the inner one comes first.
/// - **Thread**: every operation, from any thread, at any time. Closures run where ``Delivery`` says, in the background
///   unless given.
/// - **Re-entrancy**: a closure may invoke, add and take away, also itself. Nothing is locked while it runs. Closures that
///   cause each other in a cycle are stopped: 10,000 deep where they are queued, 200 where they nest.
/// - **Lifetime**: the event keeps its closures. It does not keep its sender: an object is held weakly, and strongly by each
///   delivery that is under way; a value is copied. What has been invoked is still delivered when the event is deinitialized.
/// - **Cost**: O(*n*) in the closures. With `immediate` delivery 10 closures cost less than a loop over an array of them;
///   otherwise `invoke` costs one lock, and one job on a queue if none is under way.
///
/// From the original: the operators, the sender, delivery off the caller's thread. Fixed: invoking and adding simultaneously
/// was a race, the order between invokes was undefined, and an event kept the sender that it was given for ever.
open class Event<Sender, Args: EventArgs>: @unchecked Sendable {
  // Unchecked because an open class cannot be checked. What is here: an event and a lock of the core, two constants, and a
  // sender that is written once and read weakly. Sender and args cross threads unchecked: the caller asserts it, as they
  // do in the original; see `EventArgs`.
  private let event: Tidings.Event<SenderPayload<Sender, Args>>
  private let added = Lock<[Added<Sender, Args>]>([])
  private let target: DeliveryTarget?
  private let sender: Reference<Sender>

  /// - Parameters:
  ///   - sender: The object that holds the event, or any value that represents it. The closures get it.
  ///   - delivery: Where the closures are called.
  public init(sender: Sender, delivery: Delivery = .background) {
    target = delivery.target
    event = Tidings.Event(policy: target == nil ? .immediate : .serial)
    self.sender = Reference(sender)
  }

  /// Notifies every closure, on this event's ``Delivery``. Nothing happens once the sender has been deinitialized.
  ///
  /// A closure that is taken away before its turn is not called, also when that was after this call.
  open func invoke(with args: Args) {
    if let target { event.post(from: sender, args, to: target) } else { event.emit(from: sender, args) }
  }

  func add(_ closure: Closure<Sender, Args>) {
    let subscription = event.keep(closure.closure)
    // Not in one step with the line before: keeping may release what an earlier closure captured, which is not for a lock.
    added.withLock { $0.append(Added(closure: closure, subscription: subscription)) }
  }

  func remove(_ closure: Closure<Sender, Args>) {
    let first = added.withLock { added in
      added.firstIndex { $0.closure === closure }.map { added.remove(at: $0) }
    }
    first?.subscription.cancel()
  }
}

/// A closure and its place with the core.
private struct Added<Sender, Args: EventArgs> {
  let closure: Closure<Sender, Args>
  let subscription: Subscription
}
