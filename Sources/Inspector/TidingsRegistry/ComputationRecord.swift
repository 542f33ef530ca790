import Synchronization
import Tidings

/// How often a derived value was computed, and how often the result was what it was before.
final class ComputationRecord: Sendable {
  let durations = Durations()
  private let number: UInt
  private let log: ActivityLog
  private let same = Atomic<Int>(0)
  var unchanged: Int { same.load(ordering: .relaxed) }

  init(number: UInt, log: ActivityLog) {
    self.number = number
    self.log = log
  }

  func time(_ computation: () -> Bool) -> Bool {
    let start = ContinuousClock.now
    let isChanged = computation()
    if !isChanged { same.wrappingAdd(1, ordering: .relaxed) }
    log.add(.computation(of: number, isChanged: isChanged), at: start, taking: durations.add(since: start))
    return isChanged
  }
}
