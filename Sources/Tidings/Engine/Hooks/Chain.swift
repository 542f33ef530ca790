import Synchronization

/// The questions that wait for each other, as far as they have been watched.
///
/// A call may wait and go on elsewhere, so where it comes from stands in the task and not on the thread; and binding a value to
/// a task costs as much as two calls. So nobody is watched until a handler has some calls running at once: in a circle
/// there are ever more.
final class Chain: @unchecked Sendable {  // nothing in it changes, and of its origin it reads the name
  @TaskLocal static var current: Chain?
  /// So many calls of one handler may run before the next is watched.
  static var watch: UInt { 4 }

  private let origin: Origin
  private let parent: Chain?
  let depth: Int
  /// Whether a question of this chain was rejected: of all that the first one has caused. Of the first link alone.
  private let isRejected = Atomic(false)
  private unowned(unsafe) let first: Chain?  // a parent, which is kept

  init(_ origin: Origin, behind parent: Chain?) {
    self.origin = origin
    self.parent = parent
    depth = (parent?.depth ?? 0) + 1
    first = parent?.first ?? parent
  }

  /// Beyond the limit. Handlers that ask twice would double the calls at each step: so once a question of the chain was
  /// rejected, none of it goes on; but those of other chains do.
  func judge(limit: Int) -> CycleGuard.Verdict {
    let mark = first ?? self
    let wasRejected = mark.isRejected.load(ordering: .relaxed)
    if depth <= limit, depth == 1 || !wasRejected { return .admitted }
    return mark.isRejected.exchange(true, ordering: .relaxed) ? .rejectedAgain : .rejected
  }

  /// Of those that wait for this one, outermost first.
  var names: [String] {
    var (names, next): ([String], Chain?) = ([], parent)
    while let link = next {
      names.append(link.origin.name)
      next = link.parent
    }
    return Frame.outermostFirst(names)
  }

  /// Runs `body` with this as the innermost link.
  func withCurrent<Output, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Output?
  ) async throws(Failure) -> Output? {
    var outcome: Result<Output?, Failure> = .success(nil)
    await Self.$current.withValue(self) {
      do throws(Failure) { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    }
    return try outcome.get()
  }
}

extension HandlerList {
  /// The question that is about to be put to a handler, as a link of a chain; nil, and reported, if it is a circle.
  func link() -> Chain? {
    let chain = Chain(self, behind: Chain.current)
    let verdict = chain.judge(limit: queuedLimit)
    if verdict == .rejected { refuse("question", depth: chain.depth, behind: chain.names) }
    return verdict == .admitted ? chain : nil
  }
}
