// How a question is passed from handler to handler.
//
// Inlined, with the methods that use it: compiled once for all types, a question with one handler took twelve times as long as
// a call, and this takes about three times.
extension Hook {
  /// The handlers that will be asked.
  @usableFromInline func put() -> HookCall { HookCall(to: list) }

  /// Asks until `step` has enough.
  @_alwaysEmitIntoClient @inline(__always)
  func ask<Result>(
    _ question: HookCall, _ input: Input, into initial: Result, isolation: isolated (any Actor)? = #isolation,
    _ step: (inout Result, Output) -> Bool
  ) async throws(Failure) -> Result {
    var question = question
    var result = initial
    defer { question.end() }
    while let handler = question.answer {
      if question.isPlain {
        let handler = HookHandler<Input, Output, Failure>.borrowed(handler)
        defer { handler.giveBack() }
        if !step(&result, try await handler.call(input)) { break }
      } else if let answer = try await askWithCare(question, input), !step(&result, answer) {
        break
      }
      question.next()
    }
    return result
  }

  /// Asks a handler that has an owner, or as many simultaneous calls as a cycle would make.
  @_alwaysEmitIntoClient @inline(never)
  func askWithCare(
    _ question: HookCall, _ input: Input, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Output? {
    guard question.isWatched else { return try await answer(question, input) }
    guard let link = link() else { return nil }
    return try await link.withCurrent { () async throws(Failure) in try await answer(question, input) }
  }

  /// The question as a link of a chain; nil, and reported, if it is a cycle.
  @usableFromInline func link() -> HookCallChain? { list.link() }

  /// Nil when the owner is deinitialized.
  @_alwaysEmitIntoClient
  func answer(
    _ question: HookCall, _ input: Input, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Output? {
    guard let answer = question.answer else { return nil }
    guard let selfCancellation = question.selfCancellation else {
      let answer = HookHandler<Input, Output, Failure>.of(answer)
      return try await ask(answer, question.permit, input, isolation: answer.call.isolation)
    }
    let owned = unsafeDowncast(answer.takeUnretainedValue(), to: OwnedHookHandler<Input, Output, Failure>.self)
    let output = try await owned.call(input, question.permit, isolation: isolation)
    if output == nil, selfCancellation.isOrphaned { selfCancellation.cancel() }
    return output
  }
  /// On the handler's actor.
  @_alwaysEmitIntoClient
  func ask(
    _ answer: HookHandler<Input, Output, Failure>, _ permit: HookCall.Permit, _ input: Input,
    isolation: isolated (any Actor)?
  ) async throws(Failure) -> Output? {
    permit.isOpen ? try await answer.call(input) : nil
  }
}
