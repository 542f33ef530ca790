/// A question that handlers answer.
///
/// ```swift
/// let approve = Hook<Trade, Bool, Veto>("market.approve")
/// let subscription = approve.handle { trade in trade.price < 1_000 }
/// let answers = try await approve(trade)
/// ```
///
/// Handlers are asked one after the other, in the order in which they were added, each where it is isolated; the next is
/// asked when the one before has answered. Asked are those there were when the question was put, but none that has been
/// cancelled or paused since. What a handler throws is thrown to the asker, and no other is asked. What of
/// <doc:Contract> holds for hooks is said there.
///
/// Questions overlap: any number may be under way, from any thread, and a handler may ask its own hook. Nothing is queued,
/// so nothing can wait for itself. A question goes on when the asker's task is cancelled: handlers that mind look for
/// themselves, as `Task.isCancelled` is true there too.
///
/// For questions that must be answered at once, in one isolation, there is ``LocalHook``.
public final class Hook<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  let list: HandlerList

  /// - Parameters:
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - maximumDepth: How many questions may wait for each other before it counts as a circle and is refused with a
  ///     report: nobody is asked. 10,000 unless given. Counted only while more than four calls of a handler run at once.
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    list = HandlerList(Ring(of: Void.self), label, .immediate, maximumDepth, file, line, noun: "hook")
  }
  deinit { list.clear(closingQueues: true) }

  // MARK: Answering

  /// Answers every question that is put from now on, for as long as the subscription is kept.
  ///
  /// A handler that is formed on a global actor, or in an actor and uses it, runs on that actor. It may ask, add and cancel
  /// whatever it likes. `finish()` of the subscription waits until no call of this handler is running, however long
  /// other handlers take.
  ///
  /// What the handler captured is let go by `cancel()` or, if calls of it are running, when the last of them is over.
  ///
  /// - Complexity: O(1).
  public func handle(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Input) async throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(Answer(handler), nil, CallSite(file: file, line: line), isIsolated: handler.isolation != nil)
  }

  /// Answers every question together with the owner, until the owner is gone.
  ///
  /// ```swift
  /// approve.handle(with: desk) { desk, trade in desk.accepts(trade) }
  /// ```
  ///
  /// The owner is held weakly, handed to the handler and kept while the handler runs. When it has gone, the handler counts
  /// as not there. The subscription may be dropped; kept, it can cancel earlier.
  @discardableResult
  public func handle<Owner: AnyObject & Sendable>(
    with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Input) async throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      ObjectsAnswer(owner, handler), Ending(owner: owner), CallSite(file: file, line: line),
      isIsolated: handler.isolation != nil)
  }

  /// Answers every question on the actor that owns the handler, until the actor is gone.
  ///
  /// ```swift
  /// approve.handle(with: self) { ledger, trade in ledger.covers(trade) }
  /// ```
  ///
  /// As with any owner: held weakly, handed to the handler, and the subscription may be dropped.
  @discardableResult
  public func handle<Owner: Actor>(
    with owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Input) async throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(ActorsAnswer(owner, handler), Ending(owner: owner), CallSite(file: file, line: line), isIsolated: true)
  }

  private func attach(
    _ answer: AnyObject, _ ending: Ending?, _ site: CallSite, isIsolated: Bool
  ) -> Subscription {
    let subscription = Subscription(list, owned: ending != nil, site: site)
    ending?.bind(subscription)
    list.add(AnsweringSlot(answer, ending, isIsolated: isIsolated), for: subscription)
    return subscription
  }

  // MARK: Asking

  /// All answers, in the order in which the handlers were added; the same as ``all(_:isolation:)``.
  @_alwaysEmitIntoClient
  public func callAsFunction(
    _ input: Input, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> [Output] {
    try await all(input)
  }

  /// All answers, in the order in which the handlers were added.
  ///
  /// ```swift
  /// let answers = try await approve.all(trade)
  /// ```
  ///
  /// Where the asker is, `isolation`, is found by the compiler; leave it alone. A handler of the asker's actor is called
  /// without leaving it, and from another one the question comes back there.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func all(_ input: Input, isolation: isolated (any Actor)? = #isolation) async throws(Failure) -> [Output] {
    let question = put()
    var answers: [Output] = []
    answers.reserveCapacity(question.count)
    return try await ask(question, input, into: answers) { answers, answer in
      answers.append(answer)
      return true
    }
  }

  /// The first answer; nil without handlers. Nobody else is asked.
  @_alwaysEmitIntoClient @inline(__always)  // left to the optimiser it is not, and takes half as long again
  public func first(_ input: Input, isolation: isolated (any Actor)? = #isolation) async throws(Failure) -> Output? {
    try await ask(put(), input, into: nil) { found, answer in
      found = answer
      return false
    }
  }

  /// The first answer that satisfies; nil if none does. Nobody is asked after that.
  ///
  /// ```swift
  /// let quote = await quotes.first("MSFT") { $0 < 40 }
  /// ```
  @_alwaysEmitIntoClient
  public func first(
    _ input: Input, isolation: isolated (any Actor)? = #isolation, where satisfies: (Output) -> Bool
  ) async throws(Failure) -> Output? {
    try await ask(put(), input, into: nil) { found, answer in
      if !satisfies(answer) { return true }
      found = answer
      return false
    }
  }

  /// What the answers amount to: `step` takes up each, and returns whether to go on asking.
  ///
  /// ```swift
  /// let shares = await offers.reduce("MSFT", into: 0) { sum, offered in
  ///   sum += offered
  ///   return sum < 100
  /// }
  /// ```
  ///
  /// `step` runs where the asker is.
  @_alwaysEmitIntoClient
  public func reduce<Result>(
    _ input: Input, into result: Result, isolation: isolated (any Actor)? = #isolation,
    _ step: (inout Result, Output) -> Bool
  ) async throws(Failure) -> Result {
    try await ask(put(), input, into: result, step)
  }

  // MARK: The whole

  /// Cancels every subscription, as `cancel()` does each.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func cancelAll() { list.clear(closingQueues: true) }

  /// What this hook looks like now: label, subscriptions and where they were made, and how many calls of each are running.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnosis: Diagnosis { list.diagnosis }
}

extension Hook where Output == Bool {
  /// Whether nobody objects: false with the first handler that answers false, and nobody is asked after that.
  ///
  /// ```swift
  /// guard await mayClose.allows(document) else { return }
  /// ```
  @_alwaysEmitIntoClient
  public func allows(_ input: Input, isolation: isolated (any Actor)? = #isolation) async throws(Failure) -> Bool {
    try await ask(put(), input, into: true) { allowed, answer in
      allowed = answer
      return answer
    }
  }
}
