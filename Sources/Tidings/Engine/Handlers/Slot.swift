import Synchronization

/// What the event owns for one handler.
///
/// It is let go only by whoever can prove that no deliverer holds it: a canceller that found the event idle, or the
/// deliverer itself, between two calls. The token is another object on purpose: it never holds the handler, so a cancelled
/// handler's captures go while the token lives on.
///
/// A slot whose handler answers is its own outlet; of the others none is asked for what an outlet can do.
@usableFromInline
class Slot: Outlet, @unchecked Sendable {  // what is not `let` is atomic
  /// The address of its `Subscription`, 0 when ended, with `paused` in the low bit. Written under the list's lock.
  ///
  /// The one word that says whether the handler may be called: every path asks it, or a mark in a table that is changed
  /// together with it. Of the end of a chain of operators: the address of the slot at its foot, with `end`.
  final let link = Atomic<UInt>(0)
  static let paused: UInt = 1
  private static let end: UInt = 2

  final var subscription: Unmanaged<Subscription>? {
    UnsafeRawPointer(bitPattern: link.load(ordering: .relaxed) & ~Self.paused).map { .fromOpaque($0) }
  }

  /// Neither ended nor paused. Sequentially consistent, as `silence` is: whoever makes a queue sees the pause, or the pause
  /// sees the queue.
  final var isOpen: Bool {
    let bits = link.load(ordering: .sequentiallyConsistent)
    if bits & Self.end != 0 {
      return Unmanaged<Slot>.fromOpaque(UnsafeRawPointer(bitPattern: bits & ~Self.end).unsafelyUnwrapped)
        ._withUnsafeGuaranteedRef { $0.isOpen }
    }
    return bits != 0 && bits & Self.paused == 0
  }

  /// Makes this the end of a chain whose foot is `foot`, before the chain is called.
  final func stand(on foot: Slot) {
    if link.load(ordering: .relaxed) != 0 { Ending.stopAttachingTwice() }
    link.store(UInt(bitPattern: Unmanaged.passUnretained(foot).toOpaque()) | Self.end, ordering: .relaxed)
  }

  /// The foot is gone: the handler may be attached again.
  final func rise(from foot: Slot) {
    let bits = UInt(bitPattern: Unmanaged.passUnretained(foot).toOpaque()) | Self.end
    _ = link.compareExchange(expected: bits, desired: 0, ordering: .relaxed)
  }

  /// Under the list's lock: no call begins from now on. Gives back what waited, to be destroyed outside the lock.
  func silence() -> AnyObject? {
    link.bitwiseOr(Self.paused, ordering: .sequentiallyConsistent)
    return outlet?.mute()
  }
  /// Under the list's lock: calls may begin again.
  func unsilence() { link.bitwiseAnd(~Self.paused, ordering: .sequentiallyConsistent) }

  /// What its entry in a table says of it.
  var mark: UInt { 0 }
  /// How the handler ends itself, if it can.
  var ending: Ending? { nil }
  /// The subscriptions through which it receives, where a relay of its own is between it and its sources.
  var links: Links? { nil }
  /// The relay that it passes on to.
  var onward: HandlerList? { nil }
  /// The queue to another actor, if one was ever needed; the buffers of a stream; of a handler that answers, itself.
  var outlet: Outlet? { nil }
  /// Under the list's lock: no queue will be made from now on. Gives up what there is.
  func seal() -> Unmanaged<Outlet>? { nil }
}

/// A handler without isolation: the deliverer calls it.
class HandlerSlot<Payload>: Slot, @unchecked Sendable {
  final let call: Plain<Payload>
  required init(_ call: @escaping Plain<Payload>) { self.call = call }
}

/// The same for a handler that can end itself. A slot of its own: the plain one is 40 bytes, and there may be a million.
final class EndingSlot<Payload>: HandlerSlot<Payload>, @unchecked Sendable {
  private let ownEnding: Ending
  init(_ call: @escaping Plain<Payload>, _ ending: Ending) {
    ownEnding = ending
    super.init(call)
  }
  required init(_ call: @escaping Plain<Payload>) {
    fatalError("a handler that can end itself is made with its ending")
  }
  override var ending: Ending? { ownEnding }
}

/// A handler that must know where the deliverer is.
class RoutedSlot<Payload: Sendable>: Slot, @unchecked Sendable {
  override var mark: UInt { Table.routed }
  func receive(_ value: Payload, _ passage: Passage) { fatalError("abstract") }
}

/// The foot of a chain of operators: passes what it receives up the chain.
final class OperatedSlot<Payload: Sendable>: RoutedSlot<Payload>, @unchecked Sendable {
  private let pass: Passing<Payload>
  /// The handler at the end of the chain, or the gate of the relay that it passes on to.
  private let end: Slot?
  private let ownEnding: Ending?
  private let ownLinks: Links?
  private let ownOnward: HandlerList?

  init(_ pass: @escaping Passing<Payload>, _ head: Head, _ ending: Ending?, _ links: Links?) {
    self.pass = pass
    switch head {
    case .handler(let slot): (end, ownOnward) = (slot, nil)
    case .relay(let list, let gate): (end, ownOnward) = (gate, list)
    }
    ownEnding = ending
    ownLinks = links
    super.init()
    end?.stand(on: self)
  }
  deinit { end?.rise(from: self) }
  override var ending: Ending? { ownEnding }
  override var links: Links? { ownLinks }
  override var onward: HandlerList? { ownOnward }
  override func receive(_ value: Payload, _ passage: Passage) { pass(value, passage) }
  override var outlet: Outlet? { end?.outlet }
  override func seal() -> Unmanaged<Outlet>? { end?.seal() }
}

/// What a chain of operators ends in.
enum Head: Sendable {
  case handler(Slot)
  /// The gate says whether the source may still pass on to the relay.
  case relay(HandlerList, gate: EndSlot)
}

/// The end of a chain of operators, one of whose closures, or another thread, may have cancelled or paused it on the value's
/// way: asked before a plain handler is called, and before a relay takes the value.
@usableFromInline
final class EndSlot: Slot, @unchecked Sendable {}  // nothing in it but what `Slot` has

/// How a value travels through operators.
@usableFromInline typealias Passing<Payload> = @Sendable (Payload, Passage) -> Void

/// A handler with an actor: called in place by a deliverer that is there, else through its own queue.
class IsolatedSlot<Payload: Sendable>: RoutedSlot<Payload>, @unchecked Sendable {
  private final let handler: Converted<Payload>
  /// The actor's address, only ever compared, while the handler has never needed its queue; then what no actor has, as for a
  /// target that is none. One word says that it may be called: with two a thousand handlers took a tenth longer.
  private final let near: Atomic<UInt>
  private static var nowhere: UInt { .max }
  /// The queue, retained; 0 until it is needed, with `sealed` once the handler has ended. Kept as long as the slot: another
  /// thread may be about to use it.
  private final let queue = Atomic<UInt>(0)
  private static var sealed: UInt { 1 }
  override final var mark: UInt { Table.routed | Table.homed }

  init(_ handler: Converted<Payload>, home: UInt) {
    self.handler = handler
    near = Atomic(home == 0 ? Self.nowhere : home)
  }
  deinit { Self.queue(at: queue.load(ordering: .acquiring) & ~Self.sealed)?.release() }

  /// Where the queue is emptied.
  var route: Route { .actor(handler.isolation!) }

  /// The usual case, for the deliverer's loop: calls the handler if that is on its actor and never needed its queue. Asked
  /// in the loop and not through `receive`, which took twice as long.
  @inline(__always)
  final func call(_ value: Payload, from home: UInt) -> Bool {
    guard near.load(ordering: .relaxed) == home else { return false }
    handler.call(value)
    return true
  }

  /// The actor's address, whether or not the queue was needed.
  private final var home: UInt {
    let near = near.load(ordering: .relaxed)
    guard near == Self.nowhere,
      let queue = Self.queue(at: queue.load(ordering: .acquiring) & ~Self.sealed)
    else { return near }
    return queue._withUnsafeGuaranteedRef { unsafeDowncast($0, to: Mailbox.self).home }
  }

  override final func receive(_ value: Payload, _ passage: Passage) {
    guard home == passage.home else { return post(value, passage) }
    if let queue = Self.queue(at: queue.load(ordering: .acquiring)), queue._withUnsafeGuaranteedRef({ Self.isBusy($0) })
    {
      switch unsafeDowncast(queue.takeUnretainedValue(), to: TypedMailbox<Payload>.self).clearTheWay(on: passage.here) {
      case .clear: break
      case .taken: return post(value, passage)
      case .paused: return
      }
    }
    // What was in the queue, or an operator on the way here, may have cancelled or paused the handler.
    if isOpen { handler.call(value) }
  }

  @inline(never)
  private final func post(_ value: Payload, _ passage: Passage) {
    if queue.load(ordering: .acquiring) == 0 { makeQueue() }
    // By every thread that puts something there, before it is there: with `.immediate` another may have made the queue.
    near.store(Self.nowhere, ordering: .relaxed)
    guard let queue = Self.queue(at: queue.load(ordering: .acquiring)) else { return }
    // Retained meanwhile: the handler may end itself, and its queue with it.
    unsafeDowncast(queue.takeUnretainedValue(), to: TypedMailbox<Payload>.self).push(value, passage.ticket, for: self)
  }

  private final func makeQueue() {
    let new = Unmanaged<Outlet>.passRetained(TypedMailbox(handler.call, route, home: home, from: Frame.origin!))
    let bits = UInt(bitPattern: new.toOpaque())
    // Sequentially consistent for the sake of a pause, see `isOpen`.
    if !queue.compareExchange(expected: 0, desired: bits, ordering: .sequentiallyConsistent).exchanged { new.release() }
  }

  @inline(__always)
  private static func isBusy(_ queue: Outlet) -> Bool {
    unsafeDowncast(queue, to: Mailbox.self).open.load(ordering: .acquiring) != 0
  }
  private static func queue(at bits: UInt) -> Unmanaged<Outlet>? {
    guard bits & sealed == 0, let address = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return .fromOpaque(address)
  }
  override final var outlet: Outlet? {
    Self.queue(at: queue.load(ordering: .sequentiallyConsistent))?.takeUnretainedValue()
  }
  override final func seal() -> Unmanaged<Outlet>? {
    Self.queue(at: queue.bitwiseOr(Self.sealed, ordering: .acquiringAndReleasing).oldValue)?.retain()
  }
}

/// An isolated handler whose closure does not tell its home: owner-bound, `once`, `onError`, or with a delivery target.
final class RoutedHandlerSlot<Payload: Sendable>: IsolatedSlot<Payload>, @unchecked Sendable {
  private let fixed: Route
  private let ownEnding: Ending?
  init(_ call: @escaping Plain<Payload>, _ route: Route, _ ending: Ending?) {
    fixed = route
    ownEnding = ending
    super.init(Converted(plain: call), home: route.address)
  }
  override var route: Route { fixed }
  override var ending: Ending? { ownEnding }
}
