import Testing
import Tidings
import TidingsTesting

@Suite("6. On the handler's own actor no call begins once `cancel()` has returned, whatever kind of handler it is")
struct PermitTests {
  /// Every kind of handler that runs on an actor.
  enum Form: CaseIterable, Sendable {
    case plain, throwing, owner, throwingOwner, actor, throwingActor
    case async, asyncThrowing, asyncOwner, asyncThrowingOwner, asyncActor, asyncThrowingActor
    case once, onceThrowing, onceOwner, onceThrowingOwner, onceActor, onceThrowingActor
    case onceAsync, onceAsyncThrowing, onceAsyncOwner, onceAsyncThrowingOwner, onceAsyncActor, onceAsyncThrowingActor

    /// The handler, formed on the actor.
    @discardableResult
    func observe(
      _ source: some EventSource<Int>, with owner: Owner, on actor: isolated TestActor, _ received: Recorder<Int>
    ) -> Subscription {
      let failed: @Sendable (Oops) -> Void = { _ in received(-1) }
      switch self {
      case .plain:
        return source.observe {
          _ = actor
          received($0)
        }
      case .throwing:
        return source.observe(onError: failed) { value throws(Oops) in
          _ = actor
          received(value)
        }
      case .owner:
        return source.observe(with: owner) {
          _ = actor
          received($1)
        }
      case .throwingOwner:
        return source.observe(with: owner, onError: failed) { _, value throws(Oops) in
          _ = actor
          received(value)
        }
      case .actor: return source.observe(with: actor) { received($1) }
      case .throwingActor:
        return source.observe(with: actor, onError: failed) { _, value throws(Oops) in received(value) }
      case .async:
        return source.observe { value async in
          _ = actor
          received(value)
        }
      case .asyncThrowing:
        return source.observe(onError: failed) { value async throws(Oops) in
          _ = actor
          received(value)
        }
      case .asyncOwner:
        return source.observe(with: owner) { _, value async in
          _ = actor
          received(value)
        }
      case .asyncThrowingOwner:
        return source.observe(with: owner, onError: failed) { _, value async throws(Oops) in
          _ = actor
          received(value)
        }
      case .asyncActor: return source.observe(with: actor) { _, value async in received(value) }
      case .asyncThrowingActor:
        return source.observe(with: actor, onError: failed) { _, value async throws(Oops) in received(value) }
      case .once:
        return source.once {
          _ = actor
          received($0)
        }
      case .onceThrowing:
        return source.once(onError: failed) { value throws(Oops) in
          _ = actor
          received(value)
        }
      case .onceOwner:
        return source.once(with: owner) {
          _ = actor
          received($1)
        }
      case .onceThrowingOwner:
        return source.once(with: owner, onError: failed) { _, value throws(Oops) in
          _ = actor
          received(value)
        }
      case .onceActor: return source.once(with: actor) { received($1) }
      case .onceThrowingActor:
        return source.once(with: actor, onError: failed) { _, value throws(Oops) in received(value) }
      case .onceAsync:
        return source.once { value async in
          _ = actor
          received(value)
        }
      case .onceAsyncThrowing:
        return source.once(onError: failed) { value async throws(Oops) in
          _ = actor
          received(value)
        }
      case .onceAsyncOwner:
        return source.once(with: owner) { _, value async in
          _ = actor
          received(value)
        }
      case .onceAsyncThrowingOwner:
        return source.once(with: owner, onError: failed) { _, value async throws(Oops) in
          _ = actor
          received(value)
        }
      case .onceAsyncActor: return source.once(with: actor) { _, value async in received(value) }
      case .onceAsyncThrowingActor:
        return source.once(with: actor, onError: failed) { _, value async throws(Oops) in received(value) }
      }
    }

    var isOnce: Bool { "\(self)".hasPrefix("once") }
    /// The handler is bound to an object that is not its actor.
    var hasOwner: Bool { "\(self)".hasSuffix("wner") }
    /// A token that is dropped cancels.
    var isKeptByToken: Bool { !isOnce && !hasOwner && !"\(self)".lowercased().hasSuffix("actor") }
  }

  /// The ways in which code on the actor stops the subscription while a call is on its way there.
  enum Stop: CaseIterable, Sendable {
    case cancel, drop, pause, pauseAndResume, cancelAll, ownerDies

    func applies(to form: Form) -> Bool {
      switch self {
      case .drop: form.isKeptByToken
      case .ownerDies: form.hasOwner
      default: true
      }
    }
  }

  /// The source, whose handlers receive the values 1 and 2.
  enum Source: CaseIterable, Sendable {
    case serial, immediate, observed, derived

    /// Returns the source, what emits a value, and what cancels all of its handlers.
    func make() -> (
      values: any EventSource<Int>, emit: @Sendable (Int) -> Void, cancelAll: (@Sendable () -> Void)?
    ) {
      switch self {
      case .serial, .immediate:
        let event = Event<Int>(policy: self == .serial ? .serial : .immediate)
        return (event, { event.emit($0, isolation: nil) }, { event.cancelAll() })
      case .observed:
        let value = Observed(0)
        return (value.map(\.new) as AnyEventSource<Int>, { value.set($0, isolation: nil) }, nil)
      case .derived:
        let value = Observed(0)
        let derived = Derived { value.value }
        return (derived.map(\.new) as AnyEventSource<Int>, { value.set($0, isolation: nil) }, nil)
      }
    }
  }

  struct Cell: CustomTestStringConvertible, Sendable {
    let (source, operators, form, stop): (Source, OperatorChain, Form, Stop)
    var testDescription: String { "\(source), \(operators), \(form), \(stop)" }

    static var all: [Cell] {
      var cells: [Cell] = []
      for source in Source.allCases {
        for operators in OperatorChain.allCases {
          for form in Form.allCases {
            for stop in Stop.allCases where stop.applies(to: form) {
              // Only an event cancels all.
              if stop == .cancelAll, source == .observed || source == .derived { continue }
              cells.append(Cell((source, operators, form, stop)))
            }
          }
        }
      }
      return cells
    }
    private init(_ cell: (Source, OperatorChain, Form, Stop)) { (source, operators, form, stop) = cell }

    /// A call is on its way to the actor, whose code stops it: what the handler receives then, and later.
    func run(on actor: TestActor) async -> String? {
      let (received, living) = (Recorder<Int>(), Event<Int>())
      let (values, emit, cancelAll) = source.make()
      let held = Locked<(owner: Owner?, token: Subscription?)>((Owner(), nil))
      // An operator may keep the source, and so itself.
      defer { withExtendedLifetime(living) { held.current.token?.cancel() } }
      await actor.run { actor in
        held.withLock { held in
          held.token = form.observe(operators.over(values, beside: living), with: held.owner!, on: actor, received)
        }
        let before = actor.jobCount
        emit(1)
        actor.waitForJob(after: before)
        switch stop {
        case .cancel: held.current.token?.cancel()
        case .drop: held.withLock { $0.token = nil }
        case .pause: held.current.token?.pause()
        case .pauseAndResume:
          held.current.token?.pause()
          held.current.token?.resume()
        case .cancelAll: cancelAll?()
        case .ownerDies: held.withLock { $0.owner = nil }
        }
      }
      await actor.run { _ in }
      let first = received.values
      if !first.isEmpty { return "received \(first)" }
      // A paused subscription has been used up by nothing.
      guard stop == .pause || stop == .pauseAndResume else { return nil }
      if stop == .pause { held.current.token?.resume() }
      emit(2)
      await held.current.token?.drained()
      await actor.run { _ in }
      return received.values == [2] ? nil : "after the pause received \(received.values)"
    }
  }

  @Test("every form of handler, behind every operator, stopped in every way")
  func cells() async {
    let actor = TestActor()
    var failures: [String] = []
    for cell in Cell.all {
      if let failure = await cell.run(on: actor) { failures.append("\(cell.testDescription): \(failure)") }
    }
    #expect(failures == [], "\(failures.count) of \(Cell.all.count)")
  }

  /// The streams that are iterated by hand, where `next()` has no argument.
  enum Loop: CaseIterable, Sendable {
    case stream, numbered, batches, throwing

    func next(of stream: EventStream<Int>, of results: ThrowingEventStream<Int, Oops>, on actor: isolated TestActor)
      async -> Int?
    {
      switch self {
      case .stream:
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
      case .numbered:
        var iterator = stream.numbered.makeAsyncIterator()
        return await iterator.next()?.value
      case .batches:
        var iterator = stream.batches().makeAsyncIterator()
        return await iterator.next()?.first
      case .throwing:
        var iterator = results.makeAsyncIterator()
        return try? await iterator.next()
      }
    }
  }

  @Test(
    "an iterator gives no value after that either", arguments: Loop.allCases, [Stop.cancel, .cancelAll, .pause])
  func iterators(_ loop: Loop, _ stop: Stop) async {
    let (actor, event) = (TestActor(), Event<Int>())
    let stream = event.map { $0 }.stream()
    let results = event.map { Result<Int, Oops>.success($0) }.throwingStream()
    let subscription = loop == .throwing ? results.results.subscription : stream.subscription
    let next = await actor.run { actor in Task { await loop.next(of: stream, of: results, on: actor) } }
    await actor.run { _ in }
    await actor.run { actor in
      let before = actor.jobCount
      event.emit(1, isolation: nil)
      actor.waitForJob(after: before)
      switch stop {
      case .cancel: subscription.cancel()
      case .cancelAll: event.cancelAll()
      default: subscription.pause()
      }
    }
    await actor.run { _ in }
    if stop == .pause {
      subscription.resume()
      event.emit(2)
    }
    #expect(await next.value == (stop == .pause ? 2 : nil))
  }
}
