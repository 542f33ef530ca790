import Tidings
import TidingsTesting

/// The library's own events, of either type, in one thread.
final class LibraryWorld<Source: LibraryEvent>: World, @unchecked Sendable {
  var receives: (Int, Int) -> Void = { _, _ in }
  let canaries = Canaries()
  private let policy: DeliveryPolicy
  private var events: [Int: Source] = [:]
  private var owners: [Int: Owner] = [:]
  private var tokens: [Int: Source.Token] = [:]

  init(_ policy: DeliveryPolicy) { self.policy = policy }

  func makeEvent(_ event: Int) { events[event] = Source.make("event \(event)", policy) }

  func endEvent(_ event: Int) { events[event] = nil }

  func makeOwner(_ owner: Int) { owners[owner] = Owner() }

  func endOwner(_ owner: Int) { owners[owner] = nil }

  func add(_ handler: Int, to event: Int, _ kind: HandlerKind) {
    guard let target = events[event] else { return }
    let call: @Sendable (Int) -> Void = { [unowned self, canary = canaries.make()] value in
      canary.touch()
      receives(handler, value)
    }
    switch kind {
    case .plain: tokens[handler] = target.add(call)
    case .viewed: tokens[handler] = target.addViewed(call)
    case .once: tokens[handler] = target.addOnce(call)
    case .owned(let owner):
      guard let owner = owners[owner] else { return }
      tokens[handler] = target.add(with: owner, call)
    }
  }

  // Within one emit the event may lose its last owner here, so it is kept by the call alone.
  func emit(_ value: Int, on event: Int) { events[event]?.send(value) }

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

/// The members that both types of event share, and that no protocol of the library declares.
protocol LibraryEvent: AnyObject, SendableMetatype {
  associatedtype Token: LibraryToken
  typealias Call = @Sendable (Int) -> Void

  static func make(_ label: String, _ policy: DeliveryPolicy) -> Self
  func add(_ call: @escaping Call) -> Token
  func addViewed(_ call: @escaping Call) -> Token
  func addOnce(_ call: @escaping Call) -> Token
  func add(with owner: Owner, _ call: @escaping Call) -> Token
  func send(_ value: Int)
  func cancelAll()
}

protocol LibraryToken: AnyObject, SendableMetatype {
  var isActive: Bool { get }
  func cancel()
  func pause()
  func resume()
}

extension Subscription: LibraryToken {}
extension LocalSubscription: LibraryToken {}

extension Event: LibraryEvent where Payload == Int {
  static func make(_ label: String, _ policy: DeliveryPolicy) -> Self { Self(label, policy: policy) }
  func add(_ call: @escaping Call) -> Subscription { observe(call) }
  func addViewed(_ call: @escaping Call) -> Subscription { map { $0 }.filter { _ in true }.observe(call) }
  func addOnce(_ call: @escaping Call) -> Subscription { once(call) }
  func add(with owner: Owner, _ call: @escaping Call) -> Subscription {
    observe(with: owner) { _, value in call(value) }
  }
  func send(_ value: Int) { emit(value) }
}

extension LocalEvent: LibraryEvent where Payload == Int {
  static func make(_ label: String, _ policy: DeliveryPolicy) -> Self { Self(label, policy: policy) }
  func add(_ call: @escaping Call) -> LocalSubscription { observe(call) }
  /// It has no operators.
  func addViewed(_ call: @escaping Call) -> LocalSubscription { observe(call) }
  func addOnce(_ call: @escaping Call) -> LocalSubscription { once(call) }
  func add(with owner: Owner, _ call: @escaping Call) -> LocalSubscription {
    observe(with: owner) { _, value in call(value) }
  }
  func send(_ value: Int) { emit(value) }
}
