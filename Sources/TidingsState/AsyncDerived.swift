import Synchronization
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
  private let reloads: Observed<UInt>
  let states: Derived<AsyncState<Output>>

  /// Makes a value whose dependencies are tracked while the closure runs.
  ///
  /// - Parameters:
  ///   - label: The name in reports.
  ///   - initial: The output before the first one: `value` is *loading* with it.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the output, or throws. It begins on the thread that reads or that changed a dependency, where it
  ///     must not block, set values or emit. After its first suspension it is an ordinary task, which should respect
  ///     cancellation.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  public convenience init(
    _ label: String? = nil, initial: Output? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () async throws -> Output
  ) {
    self.init(label, initial, file: file, line: line, begin: { _ in Task.immediate { try await compute() } })
  }

  /// Makes a value whose closure gets the previous output.
  ///
  /// ```swift
  /// let feed = AsyncDerived(initial: []) { previous in try await api.items(after: previous, in: topic.value) }
  /// ```
  ///
  /// - Parameters:
  ///   - label: The name in reports.
  ///   - initial: What the first computation gets, and the output before the first one.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the output, or throws. Gets the last output that was loaded. Otherwise as without it.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  public convenience init(
    _ label: String? = nil, initial: Output, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (_ previous: Output) async throws -> Output
  ) {
    self.init(
      label, initial, file: file, line: line,
      begin: { previous in Task.immediate { try await compute(previous ?? initial) } })
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
  ///   - initial: The output before the first one: `value` is *loading* with it.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the output for the input, or throws. Runs in a task of its own.
  public convenience init<Input: Sendable>(
    of input: some ValueSource<Input>, label: String? = nil, initial: Output? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ compute: @escaping @Sendable (Input) async throws -> Output
  ) {
    let input = input.reader
    self.init(
      label, initial, file: file, line: line,
      begin: { _ in
        let input = input.value
        return Task { try await compute(input) }
      })
  }

  /// Makes a value that computes when its input has stayed the same for an interval: for a search while a person types.
  ///
  /// ```swift
  /// let results = AsyncDerived(of: query, debounce: .milliseconds(300)) { text in try await api.search(text) }
  /// ```
  ///
  /// The value is *loading* from the change on. Each computation waits for the interval first, and a change meanwhile replaces it, so
  /// only the last one of a series begins.
  ///
  /// - Parameters:
  ///   - input: The dependency, which is not kept alive.
  ///   - interval: How long each computation waits before it begins.
  ///   - clock: The clock that measures the interval.
  ///   - label: The name in reports.
  ///   - initial: The output before the first one: `value` is *loading* with it.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the output for the input, or throws. Runs in a task of its own.
  public convenience init<Input: Sendable>(
    of input: some ValueSource<Input>, debounce interval: Duration, clock: some Clock<Duration> = ContinuousClock(),
    label: String? = nil, initial: Output? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable (Input) async throws -> Output
  ) {
    self.init(of: input, label: label, initial: initial, file: file, line: line) { input in
      try await clock.sleep(for: interval)
      return try await compute(input)
    }
  }

  private init(
    _ label: String?, _ initial: Output?, file: StaticString, line: UInt,
    begin: @escaping @Sendable (_ previous: Output?) -> Task<Output, any Error>
  ) {
    let name = label ?? "AsyncDerived"
    let last = Observed(LastOutput(output: initial), label: "\(name).last", file: file, line: line)
    let (reloads, numbers) = (Observed<UInt>(0, label: name, file: file, line: line), ComputationNumbers())
    self.reloads = reloads
    // Each computation is an object with its own state, so that the answer of one cannot be taken for that of another. It is
    // the value of a `Derived`: when another replaces it, it is deinitialized and cancels its task.
    let attempts = Derived("\(name).attempt", file: file, line: line) {
      _ = reloads.value
      let number = numbers.next()
      let previous = untracked { last.value.output }
      let state = Observed(AsyncState.loading(previous: previous), label: name, file: file, line: line)
      return Attempt(number, state, after: last, begin(previous))
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
  /// The value is *loading* immediately. It may be called from any thread. In a computation, it is called when the outermost
  /// computation is over.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  public func reload(isolation: isolated (any Actor)? = #isolation) {
    afterComputation(isolation: isolation) { [reloads] here in reloads.update(isolation: here) { $0 &+= 1 } }
  }

  /// Waits until the value is loaded or failed.
  ///
  /// ```swift
  /// let name = try await user.loaded().name
  /// ```
  ///
  /// If the inputs change meanwhile, it waits for the output for the newer ones. In the closure of another `AsyncDerived`, before
  /// that one first suspends, the state is a dependency: the other value follows this one, and computes again when it is loaded.
  ///
  /// - Parameter isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: The output for the current inputs.
  /// - Throws: What the computation has thrown; `CancellationError` when the waiting task is cancelled.
  public func loaded(isolation: isolated (any Actor)? = #isolation) async throws -> Output {
    // In the closure of another value, this makes the state a dependency.
    _ = states.value
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

/// The last output, and the number of the computation that has given it.
private struct LastOutput<Output: Sendable>: Sendable {
  var output: Output?
  var number = 0
}

/// Numbers the computations of one value.
private final class ComputationNumbers: Sendable {
  private let last = Atomic(0)
  func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// One computation: its task, and its state, which only that task writes.
private final class Attempt<Output: Sendable>: Sendable {
  let state: Observed<AsyncState<Output>>
  private let task: Task<Output, any Error>

  /// Runs in the closure of a `Derived`, which may not write: a separate task writes the state.
  init(
    _ number: Int, _ state: Observed<AsyncState<Output>>, after last: Observed<LastOutput<Output>>,
    _ task: Task<Output, any Error>
  ) {
    self.state = state
    self.task = task
    Task {
      let result = await task.result
      // The computation was replaced: nothing reads this state any more, and a later output may be known already.
      if task.isCancelled { return }
      transaction {
        switch result {
        case .success(let output):
          // This computation may have been replaced and not be cancelled yet.
          last.update { if $0.number < number { $0 = LastOutput(output: output, number: number) } }
          state.set(.loaded(output))
        case .failure(let error):
          state.set(.failed(error, previous: last.value.output))
        }
      }
    }
  }
  deinit { task.cancel() }
}
