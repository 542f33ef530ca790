import Foundation
import Harness
import Observation
import Synchronization
import Tidings

/// The number of trials in which a consumer never sees the last written value. A thread writes as fast as it can while a task reads
/// the sequence of the value's states. Nothing happens after the last write, so no later change hides a loss.
enum LastValue {
  static func rows(quick: Bool) -> [Row] {
    let trials = quick ? 50 : 1_000
    return [
      Row(
        RowName.lastValue(of: trials), family: "last value", unit: .trials, floor: observations,
        [
          .counted(observations) {
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
              losses(trials) { Model() }
            } else {
              nil
            }
          },
          .counted("Observed.stream(.latest)") { losses(trials) { Observed(0) } },
        ])
    ]
  }
  private static let observations = "Observations"

  private static func losses(_ trials: Int, of make: () -> some Changing) -> Double {
    Double((0..<trials).count { _ in isLost(make()) })
  }

  private static func isLost(_ subject: some Changing) -> Bool {
    let (last, begun, seen) = (50, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let reading = Task.detached {
      await subject.read { value in
        if value == 0 { begun.signal() }
        if value == last { seen.signal() }
        return value < last
      }
    }
    begun.wait()
    Thread.detachNewThread { for value in 1...last { subject.write(value) } }
    // A lost value never comes; a twentieth of a second is long compared with a wake-up.
    let isSeen = seen.wait(timeout: .now() + 0.05) == .success
    reading.cancel()
    return !isSeen
  }
}

/// A value that a thread may write while a task reads its states.
private protocol Changing: Sendable {
  func write(_ value: Int)
  /// Until `isWanted` says no.
  func read(_ isWanted: @Sendable (Int) -> Bool) async
}

extension Observed<Int>: Changing {
  fileprivate func write(_ value: Int) { set(value) }
  fileprivate func read(_ isWanted: @Sendable (Int) -> Bool) async {
    for await value in stream(.latest) where !isWanted(value) { break }
  }
}

/// An observable class as the macro generates it, with a lock, so that threads may share it.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private final class Model: Observable, Changing {
  private let registrar = ObservationRegistrar()
  private let stored = Mutex(0)

  private var value: Int {
    registrar.access(self, keyPath: \.value)
    return stored.withLock { $0 }
  }
  func write(_ value: Int) {
    registrar.withMutation(of: self, keyPath: \.value) { stored.withLock { $0 = value } }
  }
  func read(_ isWanted: @Sendable (Int) -> Bool) async {
    for await value in Observations({ self.value }) where !isWanted(value) { break }
  }
}
