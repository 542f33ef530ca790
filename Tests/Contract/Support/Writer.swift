import Foundation
import TidingsTesting

/// Another thread, on which a test makes something happen at a moment that it chooses.
final class Writer: Sendable {
  private let queue = DispatchQueue(label: "writer")

  /// Runs `body` there and waits until it has returned.
  func run(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    // Not `sync`, which runs on the thread of the caller.
    queue.async {
      body()
      done.signal()
    }
    done.wait()
  }

  /// The same, but waits no longer than for a thread that is free to run.
  func tryToRun(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    queue.async {
      body()
      done.signal()
    }
    _ = done.wait(timeout: .now() + .milliseconds(300))
  }

  /// The identity of the current thread.
  static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  func start(_ body: @escaping @Sendable () -> Void) { queue.async { body() } }
}
