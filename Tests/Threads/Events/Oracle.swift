import Tidings

/// The model: plain, slow, obviously right. Arrays, and for every value the list of those that are still to receive it.
final class Oracle: World {
  private final class Emission {
    let value: Int
    /// The handlers that were observing when the value was emitted, in order, less those that have received it or have been stopped
    /// since.
    var audience: [Int]

    init(_ value: Int, _ audience: [Int]) {
      self.value = value
      self.audience = audience
    }
  }

  private final class ModelEvent {
    var handlers: [Int] = []
    var queue: [Emission] = []
    var isDelivering = false
  }

  private struct Handler {
    let event: ModelEvent
    let kind: HandlerKind
    var isPaused = false
    var isEnded = false
  }

  var receives: (Int, Int) -> Void = { _, _ in }
  private let policy: DeliveryPolicy
  private var events: [Int: ModelEvent] = [:]
  private var handlers: [Int: Handler] = [:]
  private var owners: Set<Int> = []
  /// Every emission that a handler has yet to receive.
  private var pending: [Emission] = []

  init(_ policy: DeliveryPolicy) { self.policy = policy }

  func makeEvent(_ event: Int) { events[event] = ModelEvent() }

  /// Ends an event. Values under way are still delivered, to the handlers that were observing.
  func endEvent(_ event: Int) { events[event] = nil }

  func makeOwner(_ owner: Int) { owners.insert(owner) }

  func endOwner(_ owner: Int) { owners.remove(owner) }

  func add(_ handler: Int, to event: Int, _ kind: HandlerKind) {
    guard let target = events[event] else { return }
    target.handlers.append(handler)
    handlers[handler] = Handler(event: target, kind: kind)
  }

  func emit(_ value: Int, on event: Int) {
    guard let target = events[event] else { return }
    let emission = Emission(value, target.handlers.filter { handlers[$0]?.isPaused == false })
    pending.append(emission)
    guard policy == .serial else { return deliver(emission) }
    target.queue.append(emission)
    guard !target.isDelivering else { return }
    target.isDelivering = true
    while !target.queue.isEmpty { deliver(target.queue.removeFirst()) }
    target.isDelivering = false
  }

  private func deliver(_ emission: Emission) {
    while !emission.audience.isEmpty { call(emission.audience.removeFirst(), emission.value) }
    pending.removeAll { $0 === emission }
  }

  private func call(_ handler: Int, _ value: Int) {
    switch handlers[handler]?.kind {
    case .owned(let owner) where !owners.contains(owner): return end(handler)
    case .once: end(handler)
    default: break
    }
    receives(handler, value)
  }

  func cancel(_ handler: Int) { end(handler) }

  func pause(_ handler: Int) {
    handlers[handler]?.isPaused = true
    stop(handler)
  }

  func resume(_ handler: Int) { handlers[handler]?.isPaused = false }

  func drop(_ handler: Int) {
    let kind = handlers[handler]?.kind
    if kind == .plain || kind == .viewed { end(handler) }
  }

  func cancelAll(_ event: Int) { for handler in events[event]?.handlers ?? [] { end(handler) } }

  private func end(_ handler: Int) {
    handlers[handler]?.isEnded = true
    handlers[handler]?.event.handlers.removeAll { $0 == handler }
    stop(handler)
  }

  private func stop(_ handler: Int) { for emission in pending { emission.audience.removeAll { $0 == handler } } }

  func isActive(_ handler: Int) -> Bool {
    guard let state = handlers[handler], !state.isEnded else { return false }
    if case .owned(let owner) = state.kind, !owners.contains(owner) { return false }
    return events.values.contains { $0 === state.event }
  }

  /// How many handlers can still be called.
  var living: Int { handlers.keys.filter(isActive).count }

  /// How many are left that only the deinitialization of their owner has ended, which no emit may have noticed yet.
  var bereaved: Int { handlers.keys.filter(isBereaved).count }

  func isBereaved(_ handler: Int) -> Bool {
    guard let state = handlers[handler], !state.isEnded, case .owned(let owner) = state.kind else { return false }
    return !owners.contains(owner) && events.values.contains { $0 === state.event }
  }
}
