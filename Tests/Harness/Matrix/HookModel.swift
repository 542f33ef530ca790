/// The contract of a hook: each question goes to one handler after the other, and nothing is queued.
final class HookModel: Oracle {
  private final class Handler {
    let number: Int
    var entries: [Entry] = []
    var (isCancelled, isPaused, ownerIsReleased) = (false, false, false)
    /// How often it has been paused: what it was to be asked before is not put to it.
    var pauses = 0
    var calls: [Item] = []
    init(_ number: Int) { self.number = number }

    var canBeAsked: Bool { !isCancelled && !isPaused }
  }
  private final class Question {
    let number: Int
    let item: Item
    var isOnActor: Bool
    var rest: [(handler: Handler, pauses: Int)]
    init(_ number: Int, isOnActor: Bool, _ rest: [(handler: Handler, pauses: Int)]) {
      (self.number, self.isOnActor, self.rest) = (number, isOnActor, rest)
      item = Item(Call(value: number, emission: number), isFromSecond: false, isRevocable: false)
    }
  }
  private typealias Asking = (question: Question, handler: Handler, pauses: Int)

  private let kind: HandlerKind
  private var handlers: [Handler] = []
  private(set) var waits: [Wait] = []
  private var emissions = 0
  private var isOver = false
  private var armed: Act?
  /// Questions that wait for the handler's actor, and calls of that actor that are to end there.
  private var waiting: [(asking: Asking, isEnding: Bool)] = []
  private var (running, suspended, returning): ([Asking], [Asking], [Asking]) = ([], [], [])

  init(_ cell: Cell) {
    kind = cell.handler
    for number in [1, 0] { subscribe(number) }
  }
  private func subscribe(_ number: Int) { if !isOver { handlers.append(Handler(number)) } }
  /// The handler on which the script acts is asked second.
  private var own: Handler { handlers[1] }

  var results: [Result] {
    handlers.map {
      Result(number: $0.number, entries: $0.entries, loopHasEnded: false, isActive: !$0.isCancelled && !isOver)
    }
  }
  /// Calls of several questions overlap: which begins, and which ends first, is the executors' choice.
  func agree(_ one: [Entry], _ other: [Entry]) -> Bool {
    func begins(_ entries: [Entry]) -> [Entry] { entries.filter { if case .begin = $0 { true } else { false } } }
    func ends(_ entries: [Entry]) -> [Entry] { entries.filter { if case .end = $0 { true } else { false } } }
    return begins(one) == begins(other) && ends(one) == ends(other)
  }

  // MARK: Asking

  func emit(isOnActor: Bool) { ask(isOnActor: isOnActor) }
  @discardableResult
  private func ask(isOnActor: Bool = false) -> Item {
    emissions += 1
    let asked = isOver ? [] : handlers.filter(\.canBeAsked).map { (handler: $0, pauses: $0.pauses) }
    let question = Question(emissions, isOnActor: isOnActor, asked)
    advance(question)
    return question.item
  }
  private func advance(_ question: Question) {
    while !question.rest.isEmpty {
      let (handler, pauses) = question.rest.removeFirst()
      let asking = (question, handler, pauses)
      if !handler.canBeAsked || handler.pauses != pauses { continue }
      // A call that runs retains the owner, and so does a question that waits for an actor.
      if handler.ownerIsReleased,
        !(waiting.map(\.asking) + running + suspended + returning).contains(where: { $0.handler === handler }),
        handler.calls.isEmpty
      {
        handler.isCancelled = true
        continue
      }
      if kind.isOnActor, !(question.isOnActor && (!kind.hasOwner || handler.number == 0)) {
        waiting.append((asking, false))
        question.isOnActor = false
        return
      }
      if isSuspendedCall(asking) { return }
    }
    question.item.drop()
  }
  /// Calls the handler, and returns whether the question now waits for the call to end.
  private func isSuspendedCall(_ asking: Asking) -> Bool {
    let (question, handler, pauses) = asking
    if !handler.canBeAsked || handler.pauses != pauses { return false }
    handler.entries.append(.begin(question.item.call))
    let call = Item(question.item.call, isFromSecond: false, isRevocable: false)
    handler.calls.append(call)
    if handler.number == 0, let act = armed.take() { perform(act) }
    if kind.isSuspended {
      suspended.append(asking)
    } else if kind.place == .task {
      running.append(asking)
    } else {
      end(asking)
      if kind == .throwing { question.rest = [] }
      return false
    }
    return true
  }
  private func end(_ asking: Asking) {
    let call = asking.question.item.call
    asking.handler.entries.append(.end(call))
    asking.handler.calls.removeAll { each in
      if each.call == call { each.drop() }
      return each.call == call
    }
  }

  /// Each executor runs one job in turn, the pool first.
  func run() {
    var hasRun = true
    while hasRun {
      hasRun = !returning.isEmpty || !running.isEmpty
      if !returning.isEmpty {
        advance(returning.removeFirst().question)
      } else if !running.isEmpty {
        let asking = running.removeFirst()
        if kind.isOnActor { waiting.append((asking, true)) } else { returnFrom(asking) }
      }
      for actor in kind.hasOwner ? handlers.map(\.number) : [nil] {
        guard let place = waiting.firstIndex(where: { actor == nil || $0.asking.handler.number == actor }) else {
          continue
        }
        hasRun = true
        let (asking, isEnding) = waiting.remove(at: place)
        if isEnding {
          returnFrom(asking)
        } else if !isSuspendedCall(asking) {
          returning.append(asking)
        }
      }
    }
  }
  /// The call is over. The question leaves the handler's actor, whose owner it retains until then.
  private func returnFrom(_ asking: Asking) {
    end(asking)
    if kind.isOnActor { returning.append(asking) } else { advance(asking.question) }
  }
  func release() {
    let released = suspended
    suspended = []
    for asking in released { returnFrom(asking) }
    run()
  }
  var isSuspended: Bool { !suspended.isEmpty }

  // MARK: Acting

  func arm(_ act: Act) { armed = act }
  func resume() { own.isPaused = false }
  private func pause() {
    own.isPaused = true
    own.pauses += 1
  }
  func perform(_ act: Act) {
    switch act {
    case .cancel, .drop: own.isCancelled = true
    case .pause: pause()
    case .pauseResume:
      pause()
      resume()
    case .cancelAll: for handler in handlers { handler.isCancelled = true }
    case .subscriptionFinish:
      own.isCancelled = true
      waits.append(Wait(waits.count, own.calls.map { ($0, 0) }))
    case .emitAndWait:
      let number = waits.count
      let wait = Wait(number, [])
      waits.append(wait)
      wait.items = [(ask(), 0)]
    case .subscribe: subscribe(2)
    case .releaseOwner: own.ownerIsReleased = true
    case .releaseSource: isOver = true
    case .emit: ask()
    case .cancelAllAndSubscribe:
      perform(.cancelAll)
      subscribe(2)
    case .emitAndSubscribe:
      ask()
      subscribe(2)
    case .finish, .drained, .subscriptionDrained, .finishAndSubscribe, .emitAndFinish, .finishAndEmit:
      fatalError("a hook has no \(act)")
    }
  }
}
