import Synchronization

/// The slot of a handler that a gate holds back from the values that reach it before its initial value.
final class GatedSlot<Payload: Sendable>: RoutedSlot<Payload>, @unchecked Sendable {  // constants
  private let slot: Slot
  private let gate: InitialGate<Payload>
  private let isOpened = Atomic(false)

  init(_ slot: Slot, _ gate: InitialGate<Payload>) {
    (self.slot, self.gate) = (slot, gate)
    super.init()
  }
  // A barrier may keep the handler's slot.
  deinit { slot.link.store(Slot.closed, ordering: .relaxed) }

  override func receive(_ value: Payload, _ context: DeliveryContext) {
    if isHeld, gate.holds(value, context.counter, for: self) { return }
    if isOpen, !RevocationCheck.isRevokedHere { Self.pass(value, context, to: slot) }
  }
  static func pass(_ value: Payload, _ context: DeliveryContext, to slot: Slot) {
    if slot.tag & Table.routed != 0 {
      unsafeDowncast(slot, to: RoutedSlot<Payload>.self).receive(value, context)
    } else {
      // An erased slot has the layout of a typed one.
      Unmanaged<HandlerSlot<Payload>>.fromOpaque(Unmanaged.passUnretained(slot).toOpaque())
        ._withUnsafeGuaranteedRef { $0.call(value) }
    }
  }

  private var isHeld: Bool {
    if isOpened.load(ordering: .acquiring) { return false }
    if gate.isHolding { return true }
    isOpened.store(true, ordering: .releasing)
    return false
  }
  override var selfCancellation: SelfCancellation? { slot.selfCancellation }
  override var links: UpstreamSubscriptions? { slot.links }
  // Asked after the endpoint: a barrier or a revocation finds the relay by one of the two, or by both.
  override var downstream: HandlerList? { isHeld ? nil : slot.downstream }
  override var upstreamNumber: UpstreamNumber { slot.upstreamNumber }
  override var endpoint: Endpoint? { slot.downstream == nil || isHeld ? gate : nil }
  override func seal() -> Unmanaged<Endpoint>? {
    gate.seal() || slot.downstream == nil ? .passRetained(gate) : nil
  }
}
