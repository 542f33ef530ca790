public import Tidings

/// A derived value with an asynchronous computation: for a server, a file, another actor.
///
/// ```swift
/// let user = AsyncDerived { try await api.user(id.value) }
/// let title = Derived { user.value.latest?.name ?? "…" }
/// let showing = user.observe(.initial) { change in spinner.isHidden = !change.new.isLoading }
/// ```
///
/// Its value is an ``AsyncState``: *loading*, *loaded* or *failed*; *loading* and *failed* have the output before. It can be
/// read in a `Derived`, observed and streamed like any other value.
///
/// **Dependencies.** The values that the closure reads before it first suspends, tracked in each computation. What it reads
/// after an `await` is no dependency, and neither is anything that it reads on an actor, because the hop suspends. Read
/// first, then await: `let id = id.value`.
///
/// **The newest computation wins.** When a dependency has changed, the value is *loading* immediately, in the same
/// propagation and in the same transaction. It is never seen loaded or failed with the answer to other inputs than those of
/// that moment. The task of the older computation is cancelled, at the latest when the closures of derived values that other
/// threads were running at that time have ended. What it returns nevertheless is dropped.
///
/// **When it computes.** Lazily, like every derived value: a read starts the computation, and so does observing. While it is
/// not observed, a change of a dependency neither cancels the running computation nor starts another; the next read does
/// both. A read in a transaction that has
/// written a dependency starts a computation for that read alone, which is cancelled with it.
///
/// **Lifetime.** Its task is cancelled when it and everything derived from it are deinitialized. It retains what its closure
/// captured.
public final class AsyncDerived<Output: Sendable>: ValueSource {
  private let reloads = Observed<UInt>(0)
  let states: Derived<AsyncState<Output>>

  /// Makes a value whose dependencies are tracked while the closure runs.
  ///
  /// - Parameters:
  ///   - label: The name in reports.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the output, or throws. It begins on the thread that reads or that changed a dependency, where it
  ///     must not block, set values or emit. After its first suspension it is an ordinary task, which should respect
  ///     cancellation.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  public convenience init(
    _ label: String? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () async throws -> Output
  ) {
    self.init(label, file: file, line: line, begin: { Task.immediate { try await compute() } })
  }

  /// Makes a value with one explicit input, which is read beforehand. For closures that begin on an actor, and for Apple
  /// systems before version 26.
  ///
  /// ```swift
  /// let user = AsyncDerived(of: id) { id in try await api.user(id) }
  /// ```
  ///
  /// - Parameters:
  ///   - input: The dependency, which is not kept alive. For several values use `combine`, or a `Derived` that reads them.
  ///   - label: The name in reports.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the output for the input, or throws. Runs in a task of its own.
  public convenience init<Input: Sendable>(
    of input: some ValueSource<Input>, label: String? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (Input) async throws -> Output
  ) {
    let input = input.reader
    self.init(
      label, file: file, line: line,
      begin: {
        let input = input.value
        return Task { try await compute(input) }
      })
  }

  private init(
    _ label: String?, file: StaticString, line: UInt,
    begin: @escaping @Sendable () -> Task<Output, any Error>
  ) {
    let last = Observed(LastOutput<Output>())
    // Each computation is an object with its own state, so that the answer of one cannot be taken for that of another. It is
    // the value of a `Derived`: when another replaces it, it is deinitialized and cancels its task.
    let attempts = Derived("\(label ?? "AsyncDerived").attempt", file: file, line: line) { [reloads] in
      _ = reloads.value
      return Attempt(after: last, begin())
    }
    states = Derived(label, file: file, line: line) { attempts.value.state.value }
  }

  /// The current state. Starts the computation if none has begun for the current inputs.
  ///
  /// - Complexity: O(1), and what the closure does before it first suspends.
  public var value: AsyncState<Output> { states.value }

  /// Computes again although no dependency has changed: after a failure, or to refresh.
  ///
  /// ```swift
  /// if user.value.error != nil { user.reload() }
  /// ```
  ///
  /// The value is *loading* immediately. It may be called from any thread.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  public func reload(isolation: isolated (any Actor)? = #isolation) {
    reloads.update(isolation: isolation) { $0 &+= 1 }
  }

  /// Waits until the value is loaded or failed.
  ///
  /// ```swift
  /// let name = try await user.loaded().name
  /// ```
  ///
  /// If the inputs change meanwhile, it waits for the output for the newer ones.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: The output for the current inputs.
  /// - Throws: What the computation has thrown; `CancellationError` when the waiting task is cancelled.
  public func loaded(isolation: isolated (any Actor)? = #isolation) async throws -> Output {
    var iterator = states.stream(.latest, isolation: isolation).makeAsyncIterator()
    while let state = await iterator.next(isolation: isolation) {
      switch state {
      case .loading: continue
      case .loaded(let output): return output
      case .failed(let error, _): throw error
      }
    }
    throw CancellationError()
  }

  public func attach(
    _ handler: EventHandler<Change<AsyncState<Output>>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    states.attach(handler, sendingInitial: sendingInitial, isolation: isolation)
  }
  public var reader: ValueReader<AsyncState<Output>> { states.reader }
}

/// The last output.
private struct LastOutput<Output: Sendable>: Sendable {
  var output: Output?
}

/// One computation: its task, and its state, which only that task writes.
private final class Attempt<Output: Sendable>: Sendable {
  let state: Observed<AsyncState<Output>>
  private let task: Task<Output, any Error>

  /// Runs in the closure of a `Derived`, which may not write: a separate task writes the state.
  init(after last: Observed<LastOutput<Output>>, _ task: Task<Output, any Error>) {
    let state = Observed(AsyncState<Output>.loading(previous: untracked { last.value.output }))
    self.state = state
    self.task = task
    Task {
      let result = await task.result
      // The computation was replaced: nothing reads this state any more, and a later output may be known already.
      if task.isCancelled { return }
      transaction {
        switch result {
        case .success(let output):
          last.set(LastOutput(output: output))
          state.set(.loaded(output))
        case .failure(let error):
          state.set(.failed(error, previous: last.value.output))
        }
      }
    }
  }
  deinit { task.cancel() }
}
