import Tidings
import TidingsTesting

/// The library's own events, in one thread.
final class LibraryWorld: World, @unchecked Sendable {
  var hears: (Int, Int) -> Void = { _, _ in }
  let canaries = Canaries()
  private let policy: DeliveryPolicy
  private var events: [Int: Event<Int>] = [:]
  private var owners: [Int: Owner] = [:]
  private var tokens: [Int: Subscription] = [:]

  init(_ policy: DeliveryPolicy) { self.policy = policy }

  func makeEvent(_ event: Int) { events[event] = Event("event \(event)", policy: policy) }

  func endEvent(_ event: Int) { events[event] = nil }

  func makeOwner(_ owner: Int) { owners[owner] = Owner() }

  func endOwner(_ owner: Int) { owners[owner] = nil }

  func add(_ handler: Int, to event: Int, _ kind: HandlerKind) {
    guard let target = events[event] else { return }
    let call: @Sendable (Int) -> Void = { [unowned self, canary = canaries.make()] value in
      canary.touch()
      hears(handler, value)
    }
    switch kind {
    case .plain: tokens[handler] = target.observe(call)
    case .viewed: tokens[handler] = target.map { $0 }.filter { _ in true }.observe(call)
    case .once: tokens[handler] = target.once(call)
    case .owned(let owner):
      guard let owner = owners[owner] else { return }
      tokens[handler] = target.observe(with: owner) { _, value in call(value) }
    }
  }

  // Within one emit the event may lose its last owner here, so it is kept by the call alone.
  func emit(_ value: Int, on event: Int) { events[event]?.emit(value) }

  func cancel(_ handler: Int) { tokens[handler]?.cancel() }

  func pause(_ handler: Int) { tokens[handler]?.pause() }

  func resume(_ handler: Int) { tokens[handler]?.resume() }

  func drop(_ handler: Int) {
    let token = tokens.removeValue(forKey: handler)
    withExtendedLifetime(token) {}
  }

  func cancelAll(_ event: Int) { events[event]?.cancelAll() }

  func isActive(_ handler: Int) -> Bool { tokens[handler]?.isActive ?? false }
}

/// The same for events of one isolation.
final class LocalLibraryWorld: World {
  var hears: (Int, Int) -> Void = { _, _ in }
  let canaries = Canaries()
  private let policy: DeliveryPolicy
  private var events: [Int: LocalEvent<Int>] = [:]
  private var owners: [Int: Owner] = [:]
  private var tokens: [Int: LocalSubscription] = [:]

  init(_ policy: DeliveryPolicy) { self.policy = policy }

  func makeEvent(_ event: Int) { events[event] = LocalEvent("event \(event)", policy: policy) }

  func endEvent(_ event: Int) { events[event] = nil }

  func makeOwner(_ owner: Int) { owners[owner] = Owner() }

  func endOwner(_ owner: Int) { owners[owner] = nil }

  func add(_ handler: Int, to event: Int, _ kind: HandlerKind) {
    guard let target = events[event] else { return }
    let call: (Int) -> Void = { [unowned self, canary = canaries.make()] value in
      canary.touch()
      hears(handler, value)
    }
    switch kind {
    case .plain, .viewed: tokens[handler] = target.observe(call)
    case .once: tokens[handler] = target.once(call)
    case .owned(let owner):
      guard let owner = owners[owner] else { return }
      tokens[handler] = target.observe(with: owner) { _, value in call(value) }
    }
  }

  func emit(_ value: Int, on event: Int) { events[event]?.emit(value) }

  func cancel(_ handler: Int) { tokens[handler]?.cancel() }

  func pause(_ handler: Int) { tokens[handler]?.pause() }

  func resume(_ handler: Int) { tokens[handler]?.resume() }

  func drop(_ handler: Int) {
    let token = tokens.removeValue(forKey: handler)
    withExtendedLifetime(token) {}
  }

  func cancelAll(_ event: Int) { events[event]?.cancelAll() }

  func isActive(_ handler: Int) -> Bool { tokens[handler]?.isActive ?? false }
}
