// How a question goes from handler to handler.
//
// Inlined, with the verbs that use it: compiled once for all types a question with one handler took twelve times as long as a
// call, and so it takes about three times.
extension Hook {
  /// Those who will be asked.
  @usableFromInline func put() -> Question { Question(to: list) }

  /// Asks until `step` has enough.
  @_alwaysEmitIntoClient @inline(__always)
  func ask<Result>(
    _ question: Question, _ input: Input, into initial: Result, isolation: isolated (any Actor)? = #isolation,
    _ step: (inout Result, Output) -> Bool
  ) async throws(Failure) -> Result {
    var question = question
    var result = initial
    defer { question.end() }
    while let handler = question.answer {
      if question.isPlain {
        if !step(&result, try await Answer<Input, Output, Failure>.of(handler).call(input)) { break }
      } else if let answer = try await askWithCare(question, input), !step(&result, answer) {
        break
      }
      question.next()
    }
    return result
  }

  /// Asks a handler that has an owner, or so many calls running that they may be a circle.
  @usableFromInline
  func askWithCare(
    _ question: Question, _ input: Input, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Output? {
    guard question.isWatched else { return try await answer(question, input) }
    guard let link = list.link() else { return nil }
    return try await link.withCurrent { () async throws(Failure) in try await answer(question, input) }
  }

  /// Nil when the owner has gone.
  private func answer(
    _ question: Question, _ input: Input, isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Output? {
    guard let answer = question.answer else { return nil }
    guard let ending = question.ending else {
      let answer = Answer<Input, Output, Failure>.of(answer)
      return try await ask(answer, question.permit, input, isolation: answer.call.isolation)
    }
    let owned = unsafeDowncast(answer.takeUnretainedValue(), to: OwnedAnswer<Input, Output, Failure>.self)
    let output = try await owned.call(input, question.permit, isolation: isolation)
    if output == nil, ending.isOrphaned { ending.cancel() }
    return output
  }
  /// On the handler's actor.
  private func ask(
    _ answer: Answer<Input, Output, Failure>, _ permit: Question.Permit, _ input: Input,
    isolation: isolated (any Actor)?
  ) async throws(Failure) -> Output? {
    permit.isOpen ? try await answer.call(input) : nil
  }
}
