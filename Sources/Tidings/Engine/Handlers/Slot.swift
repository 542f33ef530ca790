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
