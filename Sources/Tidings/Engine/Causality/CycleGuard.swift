import Synchronization

/// Distinguishes cycles from long queues: what one queue of values knows of the causal chains that wait in it.
///
/// A value is rejected beyond the depth limit. Two handlers that both emit what they receive double what waits at each step,
/// and memory would be exhausted long before that depth; so a chain is also rejected when too many of *its* values wait, deep.
/// Once rejected, what the chain has left in the queue does not begin the cycle again. Values of other chains are not counted:
/// one thread's cycle must not reject what another thread emits.
struct CycleGuard {
  enum Verdict { case admitted, rejected, rejectedAgain }

  /// Values that wait and are deeper than a fan-out.
  private var deep = 0
  /// The number of deep values at which those of one chain are counted: counting each time would be quadratic.
  private var nextCount = CausalLimits.width
  /// The chains that were rejected since the queue was last empty.
  private var rejected: [UInt32] = []

  /// Whether a value may be queued. A chain is reported once, until the queue is empty.
  @inline(never)
  mutating func judge(_ depth: Int, of chain: UInt32, limit: Int, in queue: RawRingBuffer) -> Verdict {
    let steps = CausalFrame.steps(depth)
    if steps <= CausalLimits.shallow, steps <= limit { return .admitted }
    // A loop: `contains` adds 1 KB to every client.
    var wasRejected = false
    for other in rejected where other == chain { wasRejected = true }
    if steps > limit || wasRejected || isTooWide(chain, queue) {
      if !wasRejected { rejected.appendUnspecialized(chain) }
      return wasRejected ? .rejectedAgain : .rejected
    }
    return .admitted
  }
  private mutating func isTooWide(_ chain: UInt32, _ queue: RawRingBuffer) -> Bool {
    guard deep >= nextCount else { return false }
    let waiting = queue.count(ofChain: chain)
    if waiting >= CausalLimits.width { return true }
    nextCount = deep + CausalLimits.width - waiting
    return false
  }

  mutating func added(_ depth: Int) { if CausalFrame.steps(depth) > CausalLimits.shallow { deep += 1 } }
  mutating func removed(_ depth: Int) { if CausalFrame.steps(depth) > CausalLimits.shallow { deep -= 1 } }
  /// The queue is empty, and nothing that was in it is being delivered.
  mutating func reset() { if !rejected.isEmpty || deep != 0 || nextCount != CausalLimits.width { self = CycleGuard() } }

  /// Wraps: a chain that is 2³² chains old is no longer in any queue.
  private static let chains = Atomic<UInt32>(firstCount)
  static func newChain() -> UInt32 {
    let number = chains.wrappingAdd(1, ordering: .relaxed).newValue
    return number == 0 ? newChain() : number
  }
}
