import Synchronization

/// Notes the subscriptions that are made in a task while it watches, so that a test can tell which of them are left.
///
/// While nobody watches, it costs a subscription one relaxed load.
package final class Watch: Sendable {
  private struct Noted {
    let id: ObjectIdentifier
    weak var subscription: Subscription?
  }

  @TaskLocal private static var current: Watch?
  private static let watching = Atomic<Int>(0)
  private let noted = Lock<[Noted]>([])

  package init() {}

  package func during<R>(_ body: () throws -> R) rethrows -> R {
    Self.watching.wrappingAdd(1, ordering: .relaxed)
    defer { Self.watching.wrappingSubtract(1, ordering: .relaxed) }
    return try Self.$current.withValue(self, operation: body)
  }

  package func during<R>(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R) async rethrows
    -> R
  {
    Self.watching.wrappingAdd(1, ordering: .relaxed)
    defer { Self.watching.wrappingSubtract(1, ordering: .relaxed) }
    return try await Self.$current.withValue(self, operation: body)
  }

  /// Those that can still be called, in the order in which they were made: the source's name, and where.
  package var left: [(source: String, site: Diagnosis.Site)] {
    noted.withLock { $0 }.compactMap { noted in
      guard let subscription = noted.subscription else { return nil }
      let list = subscription.registration.list
      guard let (site, ending) = list.look(at: subscription), ending?.isOrphaned != true else { return nil }
      return (list.name, site)
    }
  }

  @inline(__always)
  static func note(_ subscription: Subscription) {
    if watching.load(ordering: .relaxed) != 0 { noteIfWatched(subscription) }
  }
  @inline(never)
  private static func noteIfWatched(_ subscription: Subscription) {
    current?.noted.withLock { $0.append(Noted(id: ObjectIdentifier(subscription), subscription: subscription)) }
  }

  /// One that another subscription holds, and that ends with it.
  static func leaveOut(_ subscription: Subscription) {
    if watching.load(ordering: .relaxed) == 0 { return }
    let id = ObjectIdentifier(subscription)
    current?.noted.withLock { $0.removeAll { $0.id == id } }
  }
}
