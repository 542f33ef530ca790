import Foundation
import Synchronization
import Tidings

/// Counts the observers ever made. The center's lock orders their making and their calls, but a program's thread sanitizer
/// does not see it in a library that was not built for it; it sees this, and reports no race where there is none.
private let made = Atomic<Int>(0)

/// One observer of a center. It is removed when no handler needs it.
///
/// Unchecked: the center's token for the observer is only kept and handed back.
final class Tap<Payload: Sendable>: @unchecked Sendable {
  let heard: Event<Payload>
  private let center: NotificationCenter?
  private let observer: (any NSObjectProtocol)?

  /// One that receives nothing.
  init(_ heard: Event<Payload>) { (self.heard, center, observer) = (heard, nil, nil) }

  init(
    _ heard: Event<Payload>, _ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?,
    _ payload: @escaping @Sendable (Notification) -> Payload?
  ) {
    self.heard = heard
    self.center = center
    made.add(1, ordering: .releasing)
    observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
      _ = made.load(ordering: .acquiring)
      guard let payload = payload(notification) else { return }
      if Thread.isMainThread {
        MainActor.assumeIsolated { heard.emit(payload) }
      } else {
        heard.emit(payload, isolation: nil)
      }
    }
  }
  deinit { if let observer { center?.removeObserver(observer) } }

  func pass(_ payload: Payload) -> Payload { payload }
}

/// Adds the observer for the first handler; handlers that are added while it is there share it.
final class Line<Payload: Sendable>: Sendable {
  private struct Shared { weak var tap: Tap<Payload>? }
  private let shared = Lock(Shared())
  private let make: @Sendable () -> Tap<Payload>

  init(_ make: @escaping @Sendable () -> Tap<Payload>) { self.make = make }

  func open() -> Tap<Payload> {
    if let tap = shared.withLock({ $0.tap }) { return tap }
    // Not under the lock: it is the center's code. Who comes second closes what it has opened.
    let new = make()
    return shared.withLock { shared in
      if let tap = shared.tap { return tap }
      shared.tap = new
      return new
    }
  }
}
