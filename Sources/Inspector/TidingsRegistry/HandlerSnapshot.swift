import Tidings

/// The state of one handler at one moment.
package struct HandlerSnapshot: Sendable {
  /// The address of its subscription.
  let subscription: ObjectAddress
  /// 0 for one that was added before the registry was started.
  package private(set) var number: UInt = 0
  /// The file where the handler was added; nil in a release build if it was added before the registry was started.
  package private(set) var file: StaticString?
  package private(set) var line: UInt
  package let isPaused: Bool
  /// How many values are queued for its actor or being handled there; of a hook, how many calls run.
  package let waiting: Int
  package let dropped: Int
  package private(set) var calls = 0
  package private(set) var nanoseconds: Int64 = 0
  package private(set) var slowest: Int64 = 0

  /// In the order in which `HandlerList.look` gives them.
  init(
    _ subscription: ObjectAddress, _ isPaused: Bool, _ waiting: Int, _ dropped: Int, _ file: StaticString?,
    _ line: UInt
  ) {
    self.subscription = subscription
    self.isPaused = isPaused
    self.waiting = waiting
    self.dropped = dropped
    self.file = file
    self.line = line
  }

  mutating func add(_ record: HandlerRecord?) {
    guard let record else { return }
    number = record.number
    (file, line) = (record.file, record.line)
    calls = record.durations.count
    nanoseconds = record.durations.nanoseconds
    slowest = record.durations.slowest
  }

  package var site: String { file.map { $0.description + ":" + line.description } ?? "unknown" }
}
