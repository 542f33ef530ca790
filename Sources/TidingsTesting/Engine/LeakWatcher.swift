import Synchronization
import Tidings

/// Notes the subscriptions that are made in a task while it watches.
final class LeakWatcher: SubscriptionTracker {
  private struct Noted {
    let id: ObjectIdentifier
    weak var subscription: Subscription?
  }
  private let noted = Lock<[Noted]>([])

  func during<R>(_ body: () throws -> R) rethrows -> R {
    SubscriptionTracking.watching.wrappingAdd(1, ordering: .relaxed)
    defer { SubscriptionTracking.watching.wrappingSubtract(1, ordering: .relaxed) }
    return try SubscriptionTracking.$current.withValue(self, operation: body)
  }

  func during<R>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R) async rethrows -> R {
    SubscriptionTracking.watching.wrappingAdd(1, ordering: .relaxed)
    defer { SubscriptionTracking.watching.wrappingSubtract(1, ordering: .relaxed) }
    return try await SubscriptionTracking.$current.withValue(self, operation: body)
  }

  func note(_ subscription: Subscription) {
    noted.withLock { $0.append(Noted(id: ObjectIdentifier(subscription), subscription: subscription)) }
  }
  func leaveOut(_ subscription: Subscription) {
    let id = ObjectIdentifier(subscription)
    noted.withLock { $0.removeAll { $0.id == id } }
  }

  /// Those that can still be called, in the order in which they were made: with the source's name, and where.
  var leftSubscriptions: [(subscription: Subscription, leak: LeakedSubscriptions.Leak)] {
    noted.withLock { $0 }.compactMap { noted in
      guard let subscription = noted.subscription, let leak = subscription.leak else { return nil }
      return (subscription, LeakedSubscriptions.Leak(source: leak.source, site: leak.site))
    }
  }
  var left: [LeakedSubscriptions.Leak] { leftSubscriptions.map { $0.leak } }
}
