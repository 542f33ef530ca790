/// A ``Hook`` for one isolation: asked and answered before the call returns, and nothing need be `Sendable`.
///
/// ```swift
/// let mayType = LocalHook<Character, Bool, Never>("field.mayType")
/// let subscription = mayType.handle { $0.isNumber }
/// if mayType.allows("7") { type("7") }
/// ```
///
/// The same verbs and the same rules, as far as one isolation goes. A handler may ask its own hook: the inner question is
/// answered first. Not `Sendable`: the compiler keeps the hook, its handlers and its subscriptions in one isolation.
public final class LocalHook<Input, Output, Failure: Error> {
  let list: LocalAnswering<Input, Output, Failure>

  /// - Parameters:
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - maximumDepth: How deep questions may nest before it counts as a circle and is refused with a report: nobody is
  ///     asked. 200 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
  ///   - line: The line there.
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    list = LocalAnswering(label, .immediate, maximumDepth, file, line)
  }
  deinit { list.clear() }

  // MARK: Answering

  /// Answers every question that is put from now on, for as long as the subscription is kept.
  ///
  /// What the handler captured is let go by `cancel()` or, if questions are being asked, when the outermost is answered.
  ///
  /// - Complexity: O(1), amortised.
  public func handle(
    _ handler: @escaping (Input) throws(Failure) -> Output, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    list.attach(handler, nil, CallSite(file: file, line: line))
  }

  /// Answers every question together with the owner, until the owner, which is held weakly, is gone. The subscription may be
  /// dropped.
  @_alwaysEmitIntoClient @discardableResult
  public func handle<Owner: AnyObject>(
    with owner: Owner, _ handler: @escaping (Owner, Input) throws(Failure) -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let ending = LocalEnding(owner: owner)
    return attach(
      { [weak owner] input throws(Failure) in
        if let owner { return try handler(owner, input) }
        ending.cancel()
        return nil
      }, ending, CallSite(file: file, line: line))
  }
  @usableFromInline
  func attach(
    _ handler: @escaping (Input) throws(Failure) -> Output?, _ ending: LocalEnding, _ site: CallSite
  ) -> LocalSubscription {
    list.attach(handler, ending, site)
  }

  // MARK: Asking

  /// All answers, in the order in which the handlers were added.
  @_alwaysEmitIntoClient
  public func callAsFunction(_ input: Input) throws(Failure) -> [Output] { try all(input) }

  /// All answers, in the order in which the handlers were added.
  @_alwaysEmitIntoClient
  public func all(_ input: Input) throws(Failure) -> [Output] {
    var answers: [Output] = []
    try ask(input) { answer in
      answers.append(answer)
      return true
    }
    return answers
  }

  /// The first answer; nil without handlers. Nobody else is asked.
  @_alwaysEmitIntoClient
  public func first(_ input: Input) throws(Failure) -> Output? { try first(input) { _ in true } }

  /// The first answer that satisfies; nil if none does. Nobody is asked after that.
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

  /// What the answers amount to: `step` takes up each, and returns whether to go on asking.
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

  /// Cancels every subscription, as `cancel()` does each.
  public func cancelAll() { list.clear() }

  /// What this hook looks like now: label, subscriptions and where they were made.
  public var diagnosis: Diagnosis { list.diagnosis }
}

extension LocalHook where Output == Bool {
  /// Whether nobody objects: false with the first handler that answers false, and nobody is asked after that.
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
