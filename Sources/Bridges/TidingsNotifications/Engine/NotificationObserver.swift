import Foundation
import Synchronization
import Tidings

/// Counts the observers ever made. The center's lock orders their making and their calls, but a program's thread sanitizer
/// does not see it in a library that was not built for it; it sees this, and reports no race where there is none.
private let made = Atomic<Int>(0)

/// One observer of a center. It is removed when no handler needs it.
///
/// Unchecked: the center's token for the observer is only kept and handed back.
final class NotificationObserver<Payload: Sendable>: @unchecked Sendable {
  let event: Event<Payload>
  private let center: NotificationCenter?
  private let observer: (any NSObjectProtocol)?

  /// One that receives nothing.
  init(_ event: Event<Payload>) { (self.event, center, observer) = (event, nil, nil) }

  init(
    _ event: Event<Payload>, _ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?,
    _ payload: @escaping @Sendable (Notification) -> Payload?
  ) {
    self.event = event
    self.center = center
    made.add(1, ordering: .releasing)
    observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
      _ = made.load(ordering: .acquiring)
      guard let payload = payload(notification) else { return }
      if Thread.isMainThread {
        MainActor.assumeIsolated { event.emit(payload) }
      } else {
        event.emit(payload, isolation: nil)
      }
    }
  }
  deinit { if let observer { center?.removeObserver(observer) } }

  func pass(_ payload: Payload) -> Payload { payload }
}

/// Adds the observer for the first handler; handlers that are added while it is there share it.
final class Line<Payload: Sendable>: Sendable {
  private struct Shared { weak var observation: NotificationObserver<Payload>? }
  private let shared = Lock(Shared())
  private let make: @Sendable () -> NotificationObserver<Payload>

  init(_ make: @escaping @Sendable () -> NotificationObserver<Payload>) { self.make = make }

  func open() -> NotificationObserver<Payload> {
    if let observation = shared.withLock({ $0.observation }) { return observation }
    // Not under the lock: it is the center's code. The thread that comes second closes what it has opened.
    let new = make()
    return shared.withLock { shared in
      if let observation = shared.observation { return observation }
      shared.observation = new
      return new
    }
  }
}
