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

  init(_ origin: Origin, behind parent: Chain?) {
    self.origin = origin
    self.parent = parent
    depth = (parent?.depth ?? 0) + 1
  }

  /// Of those that wait for this one, outermost first.
  var names: [String] { parent.map { sequence(first: $0, next: \.parent).map { $0.origin.name }.reversed() } ?? [] }

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
    let (refused, isNews) = state.withLock { state in
      if chain.depth == 1 { state.refused = false }
      // Handlers that ask twice would double the calls at each step: once refused, none goes on.
      let refused = chain.depth > queuedLimit || (chain.depth > 1 && state.refused)
      defer { if refused { state.refused = true } }
      return (refused, refused && !state.refused)
    }
    if isNews { refuse("question", depth: chain.depth, behind: chain.names) }
    return refused ? nil : chain
  }
}
