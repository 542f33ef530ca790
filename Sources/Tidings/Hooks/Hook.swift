/// A question that handlers answer.
///
/// ```swift
/// let approve = Hook<Trade, Bool, Veto>("market.approve")
/// let subscription = approve.handle { trade in trade.price < 1_000 }
/// let answers = try await approve(trade)
/// ```
///
/// **Order.** The handlers are called one after the other, in the order in which they were added, each on the actor to which
/// it is isolated, if any. The next is called when the one before has answered. A question is put to the handlers that exist
/// when it is asked, except those that have been cancelled or paused since. An error that a handler throws is thrown to the
/// caller, and no further handler is called. <doc:Contract> says which of its sentences hold for hooks.
///
/// **Overlap.** Any number of questions may be in progress, from any thread, and a handler may ask its own hook. Nothing is
/// queued, so no question can wait for itself. A question continues when the caller's task is cancelled: `Task.isCancelled`
/// is true in the handlers too, which can check it.
///
/// For questions that must be answered synchronously, in one isolation, there is ``LocalHook``.
public final class Hook<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  let list: HandlerList

  /// Makes a hook without handlers.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - maximumDepth: How many questions may wait for each other before the next one counts as a cycle and is rejected with
  ///     a report; no handler is called then. 10,000 unless given. Counted only while more than four calls of a handler run
  ///     simultaneously.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    list = HandlerList(
      RawRingBuffer(of: Void.self), EventIdentity(label, maximumDepth, file, line), .immediate, "hook")
    ObjectObservation.created(list, isHook: true, payload: Input.self)
  }
  deinit {
    ObjectObservation.destroyed(list)
    list.clear(closingQueues: true)
  }

  // MARK: Answering

  /// Answers every question that is asked from now on, for as long as the subscription is kept.
  ///
  /// A handler that is formed on a global actor, or in an actor and uses it, runs on that actor. It may ask, subscribe and
  /// cancel without restriction. `finish()` of the subscription waits until no call of this handler is running, however long
  /// other handlers take.
  ///
  /// What the handler captured is released by `cancel()` or, if calls of it are running, when the last of them returns.
  ///
  /// - Parameters:
  ///   - handler: Returns the answer, or throws.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1).
  public func handle(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Input) async throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(HookHandler(handler), nil, CallSite(file: file, line: line), isIsolated: handler.isolation != nil)
  }

  /// Answers every question together with the owner, until the owner is deinitialized.
  ///
  /// ```swift
  /// approve.handle(with: firm) { firm, trade in firm.accepts(trade) }
  /// ```
  ///
  /// The owner is held weakly, and strongly while the handler runs. After the owner is deinitialized, the handler is not
  /// called any more. The subscription may be dropped; if it is stored, it can cancel earlier.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and passed to the handler, which should not capture it.
  ///   - handler: Returns the answer, or throws.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  /// - Complexity: O(1).
  @discardableResult
  public func handle<Owner: AnyObject & Sendable>(
    with owner: Owner,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Owner, Input) async throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      ObjectHookHandler(owner, handler), SelfCancellation(owner: owner), CallSite(file: file, line: line),
      isIsolated: handler.isolation != nil)
  }

  /// Answers every question on the actor that owns the handler, until the actor is deinitialized.
  ///
  /// ```swift
  /// approve.handle(with: self) { ledger, trade in ledger.covers(trade) }
  /// ```
  ///
  /// As with any owner, the actor is held weakly, and the subscription may be dropped.
  ///
  /// - Parameters:
  ///   - owner: The actor on which the handler runs, and which is passed to it; held weakly.
  ///   - handler: Returns the answer, or throws.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  /// - Complexity: O(1).
  @discardableResult
  public func handle<Owner: Actor>(
    with owner: Owner, _ handler: @escaping @Sendable (isolated Owner, Input) async throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(
      ActorHookHandler(owner, handler), SelfCancellation(owner: owner), CallSite(file: file, line: line),
      isIsolated: true)
  }

  @inline(never)
  private func attach(
    _ answer: AnyObject, _ selfCancellation: SelfCancellation?, _ site: CallSite, isIsolated: Bool
  ) -> Subscription {
    let subscription = Subscription(list, site: site)
    subscription.registration.setAnswering()
    selfCancellation?.bind(subscription)
    let timer = ObjectObservation.isOn ? ObjectObservation.timer(of: subscription, site) : nil
    list.add(
      .passRetained(HookSlot(answer, selfCancellation, isIsolated: isIsolated, timer: timer)), for: subscription,
      owned: selfCancellation != nil)
    return subscription
  }

  // MARK: Asking

  /// Asks every handler; the same as ``all(_:isolation:)``.
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: All answers, in the order in which the handlers were added.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func callAsFunction(
    _ input: Input, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> [Output] {
    try await all(input)
  }

  /// Asks every handler.
  ///
  /// ```swift
  /// let answers = try await approve.all(trade)
  /// ```
  ///
  /// A handler on the caller's actor is called without leaving it. After a handler on another actor the question returns to
  /// the caller's.
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - isolation: The caller's actor. Filled in by the compiler; do not pass it.
  /// - Returns: All answers, in the order in which the handlers were added.
  /// - Throws: The first error that a handler throws.
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

  /// Asks the first handler alone.
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: Its answer; nil without handlers.
  /// - Throws: What the handler throws.
  @_alwaysEmitIntoClient @inline(__always)  // the optimizer does not inline it by itself: 50% more time
  public func first(_ input: Input, isolation: isolated (any Actor)? = #isolation) async throws(Failure) -> Output? {
    try await ask(put(), input, into: nil) { found, answer in
      found = answer
      return false
    }
  }

  /// Asks the handlers until an answer satisfies the predicate.
  ///
  /// ```swift
  /// let quote = await quotes.first("MSFT") { $0 < 40 }
  /// ```
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - satisfies: Returns true for the answer that is wanted. Runs on the caller's actor.
  /// - Returns: The first answer that satisfies the predicate; nil if none does.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
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

  /// Asks the handlers and accumulates their answers, until `step` returns false.
  ///
  /// ```swift
  /// let shares = await offers.reduce("MSFT", into: 0) { sum, offered in
  ///   sum += offered
  ///   return sum < 100
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - result: The result before the first answer.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  ///   - step: Applies an answer to the result, and returns whether to ask the next handler. Runs on the caller's actor.
  /// - Returns: The accumulated result.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func reduce<Result>(
    _ input: Input, into result: Result, isolation: isolated (any Actor)? = #isolation,
    _ step: (inout Result, Output) -> Bool
  ) async throws(Failure) -> Result {
    try await ask(put(), input, into: result, step)
  }

  // MARK: The whole

  /// Cancels every subscription, with the same effect as `cancel()` of each.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func cancelAll() { list.clear(closingQueues: true) }

  /// A snapshot of this hook for people: label, subscriptions, where they were made, and the number of running calls of
  /// each.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnostics: Diagnostics { list.diagnostics }
}

extension Hook where Output == Bool {
  /// Asks the handlers until one answers false.
  ///
  /// ```swift
  /// guard await mayClose.allows(document) else { return }
  /// ```
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - isolation: The caller's actor. Filled in by the compiler.
  /// - Returns: False if a handler answered false; true if all answered true, or there are none.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func allows(_ input: Input, isolation: isolated (any Actor)? = #isolation) async throws(Failure) -> Bool {
    try await ask(put(), input, into: true) { allowed, answer in
      allowed = answer
      return answer
    }
  }
}
