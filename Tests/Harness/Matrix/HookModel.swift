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
  /// What waits for the handler's actor; calls that end when the task pool runs; calls that last until they are released.
  private var (waiting, running, suspended): ([Asking], [Asking], [Asking]) = ([], [], [])

  init(_ cell: Cell) {
    kind = cell.handler
    subscribe()
  }
  private func subscribe() { if !isOver { handlers.append(Handler(handlers.count)) } }

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
      if handler.ownerIsReleased, !(waiting + running + suspended).contains(where: { $0.handler === handler }),
        handler.calls.isEmpty
      {
        handler.isCancelled = true
        continue
      }
      if kind.isOnActor, !(question.isOnActor && (!kind.hasOwner || handler.number == 0)) {
        waiting.append(asking)
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

  func run() {
    while true {
      if !waiting.isEmpty {
        let asking = waiting.removeFirst()
        if !isSuspendedCall(asking) { advance(asking.question) }
      } else if !running.isEmpty {
        let asking = running.removeFirst()
        end(asking)
        advance(asking.question)
      } else {
        return
      }
    }
  }
  func release() {
    let released = suspended
    suspended = []
    for asking in released {
      end(asking)
      advance(asking.question)
    }
    run()
  }
  var isSuspended: Bool { !suspended.isEmpty }

  // MARK: Acting

  func arm(_ act: Act) { armed = act }
  func resume() { handlers[0].isPaused = false }
  private func pause() {
    handlers[0].isPaused = true
    handlers[0].pauses += 1
  }
  func perform(_ act: Act) {
    switch act {
    case .cancel, .drop: handlers[0].isCancelled = true
    case .pause: pause()
    case .pauseResume:
      pause()
      resume()
    case .cancelAll: for handler in handlers { handler.isCancelled = true }
    case .subscriptionFinish:
      handlers[0].isCancelled = true
      waits.append(Wait(waits.count, handlers[0].calls.map { ($0, 0) }))
    case .emitAndWait:
      let number = waits.count
      let wait = Wait(number, [])
      waits.append(wait)
      wait.items = [(ask(), 0)]
    case .subscribe: subscribe()
    case .releaseOwner: handlers[0].ownerIsReleased = true
    case .releaseSource: isOver = true
    case .emit: ask()
    case .finish, .drained, .subscriptionDrained, .finishAndSubscribe: fatalError("a hook has no \(act)")
    }
  }
}
