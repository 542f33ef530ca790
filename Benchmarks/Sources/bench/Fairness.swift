import Foundation
import Harness
import Synchronization
import Tidings

/// Two threads update one value without a pause: how often each of them comes to it while both do. Neither may starve.
enum Fairness {
  static let more = "the thread that did more"
  static let less = "the thread that did less"

  static func rows(quick: Bool) -> [Row] {
    let run = Run(seconds: quick ? 0.2 : 2)
    return [
      Row(
        RowName.fairness, family: "fairness", unit: .updates, floor: less,
        [.counted(more) { Double(run.again().max()!) }, .counted(less) { Double(run.counts.min()!) }])
    ]
  }

  /// One for both figures.
  private final class Run {
    private let seconds: Double
    private(set) var counts = [0]

    init(seconds: Double) { self.seconds = seconds }

    func again() -> [Int] {
      counts = updates()
      return counts
    }
    private func updates() -> [Int] {
      let (value, isOver) = (Observed(0), Flag())
      let threads = (0..<2).map { _ in Updating(value, until: isOver) }
      for thread in threads { thread.begun.wait() }
      Thread.sleep(forTimeInterval: seconds)
      isOver.value.store(true, ordering: .relaxed)
      for thread in threads { thread.ended.wait() }
      let counts = threads.map { $0.count.load(ordering: .relaxed) }
      precondition(counts.reduce(0, +) == value.value, "an update is lost")
      return counts
    }
  }

  private final class Updating: Sendable {
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let count = Atomic(0)

    init(_ value: Observed<Int>, until isOver: Flag) {
      Thread.detachNewThread { [self] in
        begun.signal()
        var count = 0
        while !isOver.value.load(ordering: .relaxed) {
          value.update { $0 &+= 1 }
          count += 1
        }
        self.count.store(count, ordering: .relaxed)
        ended.signal()
      }
    }
  }
}

final class Flag: Sendable {
  let value = Atomic(false)
}
