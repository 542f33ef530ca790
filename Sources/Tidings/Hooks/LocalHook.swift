/// A ``Hook`` for a single isolation: a question is answered before the call returns, and nothing need be `Sendable`.
///
/// ```swift
/// let mayType = LocalHook<Character, Bool, Never>("field.mayType")
/// let subscription = mayType.handle { $0.isNumber }
/// if mayType.allows("7") { type("7") }
/// ```
///
/// It has the same verbs and the same rules, as far as they apply to one isolation. A handler may ask its own hook: the
/// inner question is answered first. It is not `Sendable`: the compiler keeps the hook, its handlers and its subscriptions
/// in one isolation.
public final class LocalHook<Input, Output, Failure: Error> {
  let list: LocalHookDelivery<Input, Output, Failure>

  /// Makes a hook without handlers.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - maximumDepth: How deep questions may nest before the next one counts as a cycle and is rejected with a report; no
  ///     handler is called then. 200 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    list = LocalHookDelivery(EventIdentity(label, maximumDepth, file, line), .immediate)
  }
  deinit { list.clear() }

  // MARK: Answering

  /// Answers every question that is asked from now on, for as long as the subscription is kept.
  ///
  /// What the handler captured is released by `cancel()` or, during a question, when the outermost question is answered.
  ///
  /// - Parameters:
  ///   - handler: Returns the answer, or throws.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), amortized.
  public func handle(
    _ handler: @escaping (Input) throws(Failure) -> Output, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    list.attach(handler, nil, CallSite(file: file, line: line))
  }

  /// Answers every question together with the owner, until the owner is deinitialized.
  ///
  /// The owner is held weakly. The subscription may be dropped.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and passed to the handler, which should not capture it.
  ///   - handler: Returns the answer, or throws.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient @discardableResult
  public func handle<Owner: AnyObject>(
    with owner: Owner, _ handler: @escaping (Owner, Input) throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let selfCancellation = LocalSelfCancellation(owner: owner)
    return attach(
      { [weak owner] input throws(Failure) in
        if let owner { return try handler(owner, input) }
        selfCancellation.cancel()
        return nil
      }, selfCancellation, CallSite(file: file, line: line))
  }
  @usableFromInline
  func attach(
    _ handler: @escaping (Input) throws(Failure) -> Output?, _ selfCancellation: LocalSelfCancellation, _ site: CallSite
  ) -> LocalSubscription {
    list.attach(handler, selfCancellation, site)
  }

  // MARK: Asking

  /// Asks every handler; the same as ``all(_:)``.
  ///
  /// - Parameter input: The question.
  /// - Returns: All answers, in the order in which the handlers were added.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func callAsFunction(_ input: Input) throws(Failure) -> [Output] { try all(input) }

  /// Asks every handler.
  ///
  /// - Parameter input: The question.
  /// - Returns: All answers, in the order in which the handlers were added.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func all(_ input: Input) throws(Failure) -> [Output] {
    var answers: [Output] = []
    try ask(input) { answer in
      answers.append(answer)
      return true
    }
    return answers
  }

  /// Asks the first handler alone.
  ///
  /// - Parameter input: The question.
  /// - Returns: Its answer; nil without handlers.
  /// - Throws: What the handler throws.
  @_alwaysEmitIntoClient
  public func first(_ input: Input) throws(Failure) -> Output? { try first(input) { _ in true } }

  /// Asks the handlers until an answer satisfies the predicate.
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - satisfies: Returns true for the answer that is wanted.
  /// - Returns: The first answer that satisfies the predicate; nil if none does.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func first(_ input: Input, where satisfies: (Output) -> Bool) throws(Failure) -> Output? {
    var found: Output?
    try ask(input) { answer in
      if !satisfies(answer) { return true }
      found = answer
      return false
    }
    return found
  }

  /// Asks the handlers and accumulates their answers, until `step` returns false.
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - result: The result before the first answer.
  ///   - step: Applies an answer to the result, and returns whether to ask the next handler.
  /// - Returns: The accumulated result.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func reduce<Result>(
    _ input: Input, into result: Result, _ step: (inout Result, Output) -> Bool
  ) throws(Failure) -> Result {
    var result = result
    try ask(input) { step(&result, $0) }
    return result
  }

  @usableFromInline
  func ask(_ input: Input, _ step: (Output) -> Bool) throws(Failure) { try list.ask(input, step) }

  // MARK: The whole

  /// Cancels every subscription, with the same effect as `cancel()` of each.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func cancelAll() { list.clear() }

  /// A snapshot of this hook for people: label, subscriptions and where they were made.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnostics: Diagnostics { list.diagnostics }
}

extension LocalHook where Output == Bool {
  /// Asks the handlers until one answers false.
  ///
  /// - Parameter input: The question.
  /// - Returns: False if a handler answered false; true if all answered true, or there are none.
  /// - Throws: The first error that a handler throws.
  /// - Complexity: O(*n*) in the number of handlers.
  @_alwaysEmitIntoClient
  public func allows(_ input: Input) throws(Failure) -> Bool {
    var allowed = true
    try ask(input) { answer in
      allowed = answer
      return answer
    }
    return allowed
  }
}
