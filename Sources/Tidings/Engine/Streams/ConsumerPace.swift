/// Lets a consumer that takes values faster than they come wait a moment before it takes more.
///
/// Without that it takes the lock as often as the thread that fills the stream, for one or two values each time, and both wait for
/// the lock. It waits for less time than it takes to resume a task. bench: a stream's element, from another thread, −55 % time
struct ConsumerPace {
  /// It is ahead when it takes fewer values than this.
  private static var few: Int { 16 }
  /// A wait was in vain if the consumer takes fewer than `count` values afterwards, as where its own thread fills the stream. After
  /// `times` vain waits the consumer does not wait again until it has slept.
  private static var vain: (count: Int, times: Int) { (4, 4) }

  /// It took few values, and had not slept before.
  private var isAhead = false
  private var hasWaited = false
  private var patience = Self.vain.times

  /// Before it takes what there is.
  mutating func wait() { if isToWait() { for _ in 0..<32 { spinPause() } } }
  mutating func isToWait() -> Bool {
    hasWaited = isAhead && patience > 0
    return hasWaited
  }
  mutating func took(_ count: Int, hasSlept: Bool) {
    if hasSlept { patience = Self.vain.times } else if hasWaited, count < Self.vain.count { patience -= 1 }
    isAhead = !hasSlept && count < Self.few
  }
}
