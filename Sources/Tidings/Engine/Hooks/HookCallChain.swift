import Synchronization

/// The chain of questions that wait for each other, as far as it is tracked.
///
/// A call may suspend and resume on another thread, so its cause is bound to the task and not to the thread; and binding a
/// value to a task costs as much as two calls. So nothing is tracked until a handler has some simultaneous calls: in a cycle
/// their number grows without end.
@usableFromInline
final class HookCallChain: @unchecked Sendable {  // nothing changes but one atomic
  @TaskLocal static var current: HookCallChain?
  /// The number of calls of one handler that may run before the next is tracked.
  static var watch: UInt { 4 }

  private let source: CausalSource
  private let parent: HookCallChain?
  let depth: Int
  /// Whether a question of this chain was rejected: of all that the first one has caused. Of the first link alone.
  private let isRejected: Atomic<Bool>
  private unowned(unsafe) let first: HookCallChain?  // a parent, which is kept

  init(_ source: CausalSource, causedBy parent: HookCallChain?) {
    isRejected = Atomic(false)
    self.source = source
    self.parent = parent
    depth = (parent?.depth ?? 0) + 1
    first = parent?.first ?? parent
  }

  /// Rejected beyond the limit. Handlers that ask twice would double the calls at each step: so once a question of the chain
  /// was rejected, no other question of it is asked; those of other chains are.
  @_optimize(size)
  func judge(limit: Int) -> CycleGuard.Verdict {
    let head = first ?? self
    let wasRejected = head.isRejected.load(ordering: .relaxed)
    if depth <= limit, depth == 1 || !wasRejected { return .admitted }
    return head.isRejected.exchange(true, ordering: .relaxed) ? .rejectedAgain : .rejected
  }

  /// The names of those that wait for this one, outermost first.
  @_optimize(size)
  var names: [String] {
    var (names, next): ([String], HookCallChain?) = ([], parent)
    while let link = next {
      names.appendUnspecialized(link.source.name)
      next = link.parent
    }
    return CausalFrame.outermostFirst(names)
  }

  /// Runs `body` with this as the innermost link.
  @_alwaysEmitIntoClient
  func withCurrent<Output, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Output?
  ) async throws(Failure) -> Output? {
    var outcome: Result<Output?, Failure> = .success(nil)
    await asCurrent {
      do throws(Failure) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    }
    return try outcome.get()
  }
  @usableFromInline
  func asCurrent(isolation: isolated (any Actor)? = #isolation, _ body: () async -> Void) async {
    await Self.$current.withValue(self, operation: body)
  }
}

extension HandlerList {
  /// The question that is about to be asked, as a link of a chain; nil, and reported, if it is a cycle.
  @_optimize(size)
  func link() -> HookCallChain? {
    let chain = HookCallChain(self, causedBy: HookCallChain.current)
    let verdict = chain.judge(limit: identity.queuedLimit)
    if verdict == .rejected {
      Diagnostics.reportCycle(through: self, of: "question", depth: chain.depth, causes: chain.names)
    }
    return verdict == .admitted ? chain : nil
  }
}
