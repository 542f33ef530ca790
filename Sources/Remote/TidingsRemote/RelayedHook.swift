import Foundation
public import Tidings

/// A question that handlers of any process answer, within a time.
///
/// ```swift
/// let quote = relay.hook("market.quote", asking: String.self, answering: Price.self)
/// let subscription = quote.handle { symbol in try await price(of: symbol) }
/// let price = try await quote.first("ABC", within: .seconds(2))
/// ```
///
/// A question reaches every process that has a handler, the asker's included. It is sent at most once, as an event is: a question or
/// an answer that is lost shows as ``AnswerError/noAnswer(within:)``, and asking again is up to the program. So a handler may be called
/// for a question whose asker gives up, and again for the next one: it should change nothing, or what is the same after a repeat.
///
/// A handler has as much time as its asker waits. Then its task is cancelled. A process calls at most 64 handlers of a hook at a
/// time; the other questions wait.
///
/// A process answers from the first handler on, until the hook is deinitialized or the relay closed.
public final class RelayedHook<Input: Sendable, Output: Sendable>: Sendable {
  private let answering: HookAnswering<Input, Output>
  private let subject: String
  private let questions: Schema<HookMessage<Input>>
  private let answers: Schema<HookMessage<Output>>
  private let link: RelayLink
  private let outbox: Outbox
  private let origin: String
  private let replyTo = String(UInt64.random(in: 0 ... .max), radix: 36)
  private let limit: Int
  private let pending = OpenQuestions<HookMessage<Output>>()
  private struct State {
    /// Subscribes to the answers.
    var asking: Task<Void, any Error>?
    var isAnswering = false
    var inboxes: [Inbox] = []
  }
  private let state = Lock(State())

  init(
    _ name: String, _ input: Schema<Input>, _ output: Schema<Output>, _ link: RelayLink, _ outbox: Outbox, limit: Int
  ) {
    (subject, self.link, self.outbox, self.limit) = (link.subject(name), link, outbox, limit)
    (questions, answers, origin) = (input.ofHookMessages, output.ofHookMessages, link.makeOrigin())
    answering = HookAnswering(subject, answers, link, outbox)
  }
  deinit { for inbox in state.withLock({ $0.inboxes }) { inbox.end() } }

  // MARK: Answering
  /// Answers every question from now on, for as long as the subscription is kept.
  ///
  /// The same as ``Tidings/Hook/handle(_:file:line:)``: a handler that is formed on an actor runs on it. If there are several
  /// handlers in a process, they are called one after the other, and each answer is sent. What a handler throws is the answer of
  /// its process, as text, and the asker receives it as ``AnswerError/failed(_:)``.
  ///
  /// - Parameters:
  ///   - handler: Returns the answer, or throws.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  public func handle(
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Input) async throws -> Output,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    let subscription = answering.hook.handle(handler, file: file, line: line)
    let isFirst = state.withLock { state in
      defer { state.isAnswering = true }
      return !state.isAnswering
    }
    guard isFirst else { return subscription }
    do {
      try receive(subject, questions) { [answering] question, hops in await answering.take(question, hops: hops) }
    } catch {
      state.withLock { $0.isAnswering = false }
      link.fail(error, about: subject)
    }
    return subscription
  }

  // MARK: Asking
  /// The first answer of any process.
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - time: How long an answer is waited for, and how long a handler may take; a day at most.
  ///   - clock: Measures it here.
  /// - Returns: The answer.
  /// - Throws: ``AnswerError``; ``TransportError`` if the question cannot be asked; `CancellationError`.
  public func first(
    _ input: Input, within time: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> Output {
    let (answers, end) = try await ask(input, time, clock)
    defer { end() }
    for await answer in answers { return try Self.output(answer) }
    try Task.checkCancellation()
    throw AnswerError.noAnswer(within: time)
  }

  /// The answers of all processes that come within a time, in the order in which they come.
  ///
  /// It returns when the time is over, or when there are as many answers as are wanted: no process knows how many others there are.
  ///
  /// - Parameters:
  ///   - input: The question.
  ///   - count: How many answers are wanted.
  ///   - time: How long answers are waited for, and how long a handler may take; a day at most.
  ///   - clock: Measures it here.
  /// - Returns: The answers; none if there is no handler.
  /// - Throws: ``AnswerError/failed(_:)`` as soon as a handler has thrown; ``TransportError`` if the question cannot be asked;
  ///   `CancellationError`.
  public func all(
    _ input: Input, upTo count: Int = .max, within time: Duration = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> [Output] {
    let (answers, end) = try await ask(input, time, clock)
    defer { end() }
    var outputs: [Output] = []
    for await answer in answers {
      outputs.append(try Self.output(answer))
      if outputs.count >= count { return outputs }
    }
    try Task.checkCancellation()
    return outputs
  }

  /// Sends a question. The answers end when the time is over.
  private func ask(
    _ input: Input, _ time: Duration, _ clock: any Clock<Duration>
  ) async throws -> (answers: AsyncStream<HookMessage<Output>>, end: @Sendable () -> Void) {
    let hops = Hops.current
    if hops > Hops.limit {
      link.fail(.cycle(subject: subject, hops: hops))
      throw TransportError.rejected("a feedback cycle of \(hops) hops between processes")
    }
    try await receiveAnswers()
    let time = min(time.bounded, .seconds(86_400))
    let (number, answers) = pending.begin()
    let expiring = Task { [pending] in
      try? await clock.sleep(for: time)
      pending.end(number)
    }
    let end: @Sendable () -> Void = { [pending] in
      expiring.cancel()
      pending.end(number)
    }
    do {
      let header = HookHeader(question: number, replyTo: replyTo, milliseconds: time.milliseconds)
      let message = RemoteMessage(
        subject: subject, id: "", origin: origin, hops: hops, schema: questions.name, version: questions.version,
        body: try questions.encode(HookMessage(header: header, payload: input)))
      guard outbox.append(Outbox.Item(subject: subject) { message }) else { throw TransportError.closed }
    } catch {
      end()
      throw error
    }
    return (answers, end)
  }

  private static func output(_ answer: HookMessage<Output>) throws -> Output {
    guard let output = answer.payload else { throw AnswerError.failed(answer.header.error ?? "") }
    return output
  }

  /// Receives answers from now on; returns when it does, so that no question is sent before.
  private func receiveAnswers() async throws {
    let asking = state.withLock { state in
      if let asking = state.asking { return asking }
      let asking = Task.detached { [self] in
        let address = HookAnswering<Input, Output>.subject(subject, replyTo: replyTo)
        try receive(address, answers) { [pending] answer, _ in pending.give(answer, to: answer.header.question) }
      }
      state.asking = asking
      return asking
    }
    do { try await asking.value } catch {
      state.withLock { $0.asking = nil }
      throw error
    }
  }

  private func receive<Payload: Sendable>(
    _ subject: String, _ schema: Schema<Payload>, _ body: @escaping @Sendable (Payload, _ hops: Int) async -> Void
  ) throws {
    let inbox = try Inbox(subject, kept: false, ignoring: nil, limit: limit, schema: schema, link) {
      arrival, hops, _ in
      if let payload = arrival.payload { await body(payload, hops) }
    }
    state.withLock { $0.inboxes.append(inbox) }
  }
}

/// Why a relayed hook has no answer.
public enum AnswerError: Error, Sendable, Equatable {
  /// None came within the time: no process has a handler, its handler takes longer, or the question or the answer was lost.
  case noAnswer(within: Duration)
  /// A handler has thrown: its error, as text.
  case failed(String)
}

extension AnswerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noAnswer(let time): "no answer within \(time)"
    case .failed(let reason): "the handler failed: \(reason.printable)"
    }
  }
}

extension RelayedHook: CustomStringConvertible, CustomReflectable {
  /// The type and the subject.
  public var description: String { "RelayedHook<\(Input.self), \(Output.self)> '\(subject)'" }
  public var customMirror: Mirror { Mirror(self, children: ["subject": subject], displayStyle: .class) }
}
