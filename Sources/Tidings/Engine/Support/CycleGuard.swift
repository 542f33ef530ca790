import Synchronization

/// Tells cycles from long queues: what one queue of values knows of the causal chains that wait in it.
///
/// A value is rejected beyond the depth limit. Two handlers that both emit what they receive double what waits at each step,
/// and memory would end long before that depth; so a chain is also rejected when too many of *its* values wait, deep. Once
/// rejected, what the chain has left in the queue does not begin the cycle again. Values of other chains are not counted:
/// one thread's cycle must not reject what another thread emits.
struct CycleGuard {
  /// Values down to this depth are a fan-out, however many wait.
  static var shallow: Int { 16 }
  /// So many deeper values of one chain may wait.
  static var width: Int { 1 << 16 }

  enum Verdict { case admitted, rejected, rejectedAgain }

  /// Values that wait and are deeper than `shallow`.
  private var deep = 0
  /// When so many wait, the values of a chain are counted: counting each time would be quadratic.
  private var nextCount = width
  /// The chains that were rejected since the queue was last empty.
  private var rejected: [UInt32] = []

  /// Whether a value may be queued. A chain is reported once, until the queue is empty.
  mutating func judge(_ depth: Int, of chain: UInt32, limit: Int, in queue: Ring) -> Verdict {
    let steps = Frame.steps(depth)
    if steps <= Self.shallow, steps <= limit { return .admitted }
    // By hand: a search is 1 KB of every client.
    var wasRejected = false
    for other in rejected where other == chain { wasRejected = true }
    if steps > limit || wasRejected || isTooWide(chain, queue) {
      if !wasRejected { rejected.append(chain) }
      return wasRejected ? .rejectedAgain : .rejected
    }
    return .admitted
  }
  private mutating func isTooWide(_ chain: UInt32, _ queue: Ring) -> Bool {
    guard deep >= nextCount else { return false }
    let waiting = queue.count(ofChain: chain)
    if waiting >= Self.width { return true }
    nextCount = deep + Self.width - waiting
    return false
  }

  mutating func added(_ depth: Int) { if Frame.steps(depth) > Self.shallow { deep += 1 } }
  mutating func removed(_ depth: Int) { if Frame.steps(depth) > Self.shallow { deep -= 1 } }
  /// The queue is empty, and nothing that was in it is being delivered.
  mutating func reset() { if !rejected.isEmpty || deep != 0 || nextCount != Self.width { self = CycleGuard() } }

  private static let chains = Atomic<UInt32>(0)
  static func newChain() -> UInt32 {
    let number = chains.add(1, ordering: .relaxed).newValue
    return number == 0 ? newChain() : number
  }
}
