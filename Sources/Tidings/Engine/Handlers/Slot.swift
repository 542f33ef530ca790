import Synchronization

/// The object that the event owns for one handler.
///
/// It is released only by code that can prove that no delivering thread holds it: a thread that cancels and found the event
/// idle, or the delivering thread itself, between two calls. The token is a separate object on purpose: it never retains the
/// handler, so a cancelled handler's captures are released while the token is kept.
///
/// The slot of a hook is its own endpoint. No other slot is asked for what an endpoint can do.
@usableFromInline
class Slot: Endpoint, @unchecked Sendable {  // what is not `let` is atomic
  /// The address of its `Subscription`, 0 before it is added, with `paused` in the low bit. `closed` when the handler has ended: the
  /// bit alone, so that emits that overlap test one bit. Written under the list's lock.
  ///
  /// The one word that says whether the handler may be called: every path asks it, or a tag in a table that is changed
  /// together with it. Of the end of a chain of operators: the address of the first slot of the chain, with `end`.
  final let link = Atomic<UInt>(0)
  static let paused: UInt = 1
  static let closed = paused
  private static let end: UInt = 2

  final var subscription: Unmanaged<Subscription>? {
    UnsafeRawPointer(bitPattern: link.load(ordering: .relaxed) & ~Self.paused).map { .fromOpaque($0) }
  }

  /// Neither ended nor paused. Sequentially consistent, as `markPaused` is: the thread that makes a queue sees the pause, or
  /// the pause sees the queue.
  final var isOpen: Bool {
    let bits = link.load(ordering: .sequentiallyConsistent)
    if bits & Self.end != 0 {
      return Unmanaged<Slot>.fromOpaque(UnsafeRawPointer(bitPattern: bits & ~Self.end).unsafelyUnwrapped)
        ._withUnsafeGuaranteedRef { $0.isOpen }
    }
    return bits != 0 && bits & Self.paused == 0
  }

  /// Makes this the end of a chain of operators that begins with `first`, before the chain is called.
  final func linkEnd(to first: Slot) {
    if link.load(ordering: .relaxed) != 0 { SelfCancellation.stopAttachingTwice() }
    linkEnd(following: first)
  }

  /// Makes this the slot behind a gate that holds values back: open by itself until the gate lets all values pass.
  final func linkAlone() { link.store(Self.alone, ordering: .relaxed) }
  private static let alone: UInt = 4
  /// Whether this may be called is from now on what `outer` says.
  final func linkEnd(following outer: Slot) {
    // relaxed: `outer` was made before the chain was given its first value, and each call is ordered after that.
    link.store(UInt(bitPattern: Unmanaged.passUnretained(outer).toOpaque()) | Self.end, ordering: .relaxed)
  }

  /// The first slot of the chain was released: the handler may be attached again.
  final func unlinkEnd(from first: Slot) {
    let bits = UInt(bitPattern: Unmanaged.passUnretained(first).toOpaque()) | Self.end
    _ = link.compareExchange(expected: bits, desired: 0, ordering: .relaxed)
  }

  /// Under the list's lock: no call begins from now on. Returns what was queued, to be destroyed outside the lock.
  func markPaused() -> AnyObject? {
    link.bitwiseOr(Self.paused, ordering: .sequentiallyConsistent)
    return endpoint?.pause()
  }
  /// Under the list's lock: calls may begin again.
  func markResumed() { link.bitwiseAnd(~Self.paused, ordering: .sequentiallyConsistent) }

  /// The tags of its entry in a table. One without tags has nothing to seal, except that of a hook.
  var tag: UInt { 0 }
  /// How the handler cancels itself, if it can.
  var selfCancellation: SelfCancellation? { nil }
  /// The subscriptions through which it receives, where a relay of its own is between it and its sources.
  var links: UpstreamSubscriptions? { nil }
  /// The relay that it passes on to, and the number of the relay's subscription to this list.
  var downstream: HandlerList? { nil }
  var upstreamNumber: UpstreamNumber { .none }
  /// The queue to another actor, if one was ever needed; the buffers of a stream; of a handler that answers, itself.
  var endpoint: Endpoint? { nil }
  /// Under the list's lock: no queue will be made from now on. Returns the one there is.
  func seal() -> Unmanaged<Endpoint>? { nil }
}

/// A handler without isolation: the deliverer calls it.
///
/// It is made as an `ErasedHandlerSlot`, which has the same layout. In unspecialised code, naming the slot type of a payload
/// looks up its metadata, which costs about as much as adding the handler. bench: subscribe + cancel
class HandlerSlot<Payload>: Slot, @unchecked Sendable {  // nothing in it changes but what `Slot` has
  final let call: PlainHandler<Payload>
  override final var tag: UInt { 0 }
  @inline(__always)
  init(_ handler: __owned Converted<Payload>) { call = handler.call }
}
typealias ErasedHandlerSlot = HandlerSlot<Never>

/// The same for a handler that can cancel itself. A type of its own: the plain slot is 40 bytes, and there may be a million.
final class SelfCancellingSlot: ErasedHandlerSlot, @unchecked Sendable {  // a constant is added to `HandlerSlot`
  private let ownCancellation: SelfCancellation
  init(_ handler: __owned Converted<Never>, _ selfCancellation: SelfCancellation) {
    ownCancellation = selfCancellation
    super.init(handler)
  }
  override var selfCancellation: SelfCancellation? { ownCancellation }
}

/// A handler that must know which actor delivers.
class RoutedSlot<Payload: Sendable>: Slot, @unchecked Sendable {
  override var tag: UInt { Table.routed }
  func receive(_ value: Payload, _ context: DeliveryContext) { fatalError("abstract") }
}

/// The first slot of a chain of operators: passes what it receives through the chain.
final class OperatorSlot<Payload: Sendable>: RoutedSlot<Payload>, @unchecked Sendable {
  private let pass: Passing<Payload>
  /// The handler at the end of the chain, or the gate of the relay that it passes on to.
  private let end: Slot?
  private let ownCancellation: SelfCancellation?
  private let ownLinks: UpstreamSubscriptions?
  private let ownDownstream: HandlerList?

  init(
    _ pass: @escaping Passing<Payload>, _ head: ChainEnd, _ selfCancellation: SelfCancellation?,
    _ links: UpstreamSubscriptions?
  ) {
    self.pass = pass
    switch head {
    case .handler(let slot): (end, ownDownstream) = (slot, nil)
    case .relay(let list, let gate): (end, ownDownstream) = (gate, list)
    }
    ownCancellation = selfCancellation
    ownLinks = links
    super.init()
    end?.linkEnd(to: self)
  }
  deinit { end?.unlinkEnd(from: self) }
  override var selfCancellation: SelfCancellation? { ownCancellation }
  override var links: UpstreamSubscriptions? { ownLinks }
  override var downstream: HandlerList? { ownDownstream }
  override var upstreamNumber: UpstreamNumber { end?.upstreamNumber ?? .none }
  override func receive(_ value: Payload, _ context: DeliveryContext) { pass(value, context) }
  override var endpoint: Endpoint? { end?.endpoint }
  override func seal() -> Unmanaged<Endpoint>? { end?.seal() }
}

/// The end of a chain of operators.
enum ChainEnd: Sendable {
  case handler(Slot)
  /// The gate says whether the source may still pass on to the relay.
  case relay(HandlerList, gate: GateSlot)
}

/// The end of a chain of operators. One of their closures, or another thread, may have cancelled or paused the subscription
/// meanwhile: asked before a plain handler is called, and before a relay accepts the value.
@usableFromInline
final class GateSlot: Slot, @unchecked Sendable {  // nothing in it changes but what `Slot` has
  private let number: UpstreamNumber
  override var upstreamNumber: UpstreamNumber { number }
  init(_ number: UpstreamNumber = .none) { self.number = number }

  /// The number of a value that passes here: that of the first upstream subscription on its way.
  var passing: UpstreamNumber { CausalFrame.origin == .none ? number : CausalFrame.origin }
}

/// How a value travels through operators.
@usableFromInline typealias Passing<Payload> = @Sendable (Payload, DeliveryContext) -> Void
