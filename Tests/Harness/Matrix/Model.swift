// The contract of a cell, as a plain sequential program.

/// A value on its way to a handler.
final class Item {
  let call: Call
  let isFromSecond: Bool
  /// Whether the source has given it, and may take it back.
  let isRevocable: Bool
  private(set) var isOver = false
  /// Its place among the entries of its handler, if it was called to the end.
  private(set) var end: Int?

  init(_ call: Call, isFromSecond: Bool, isRevocable: Bool) {
    (self.call, self.isFromSecond, self.isRevocable) = (call, isFromSecond, isRevocable)
  }
  func drop() { isOver = true }
  func finish(at place: Int) { (isOver, end) = (true, place) }
}

/// A caller that waits.
final class Wait {
  let number: Int
  var items: [(item: Item, handler: Int)]
  /// The values before, if it waits for these as well.
  var earlier: [Item] = []
  var isDelivered = true
  /// Whether it may have returned, and whether it must: what another source gave may be waited for.
  var mayReturn: Bool { isDelivered && items.allSatisfy { $0.item.isOver || $0.item.isFromSecond } }
  var mustReturn: Bool { isDelivered && items.allSatisfy(\.item.isOver) && earlier.allSatisfy(\.isOver) }

  init(_ number: Int, _ items: [(item: Item, handler: Int)]) { (self.number, self.items) = (number, items) }
}

final class Model: Oracle {
  private let cell: Cell
  private let sharedOperators: [Operator]
  private let ownOperators: [Operator]
  private var subscriptions: [SubscriptionModel] = []
  private(set) var waits: [Wait] = []
  private var shared: Line?
  /// The last values of `replay`.
  private var recent: [Int] = []
  private var (emissions, secondEmissions) = (0, 1_000)
  /// The number that was emitted last, while there was a source.
  private var current = 0
  private var isOver = false
  private var isEnding = false
  private var isDelivering = false
  private var queue: [(number: Int, emission: Int, wait: Wait?, isOnActor: Bool, handlers: Int)] = []
  private var armed: Act?
  /// The emission whose call is running.
  private var context = 0

  init(_ cell: Cell) {
    self.cell = cell
    let count = (cell.chain.lastIndex(where: \.isShared) ?? -1) + 1
    (sharedOperators, ownOperators) = (Array(cell.chain[..<count]), Array(cell.chain[count...]))
    if sharedOperators.last == .replay { connect() }
    subscribe()
  }

  var results: [Result] {
    subscriptions.map {
      Result(number: $0.number, entries: $0.entries, loopHasEnded: $0.loopHasEnded, isActive: $0.isActive)
    }
  }

  // MARK: Subscribing

  /// The current value, if a handler receives it first.
  private var initial: [Int] { cell.source.sendsInitial ? [current] : [] }
  private func connect() {
    let line = Line(sharedOperators, first: { [unowned self] in initial }, sourceHasEnded: { [unowned self] in isOver })
    shared = line
    pass(line.begin().map { (Call(value: $0, emission: context), false) })
  }
  private func subscribe() {
    // A subscription that lives by a second source alone has disconnected.
    let (last, isFirst) = (sharedOperators.last, !subscriptions.contains { $0.isActive && $0.line.isConnected })
    if last == .share && isFirst { shared = nil }
    let line = Line(
      ownOperators, first: { [unowned self] in last == .replay ? recent : last == nil ? initial : [] },
      sourceHasEnded: { [unowned self] in last == nil ? isOver : shared?.hasEnded ?? false })
    let subscription = SubscriptionModel(
      cell.handler, subscriptions.count, line,
      overlaps: cell.source.isImmediate && cell.chain.allSatisfy(\.passesOverlapping)
    ) { [unowned self] call in
      guard let act = armed.take() else { return }
      context = call.emission
      perform(act)
      context = 0
    }
    subscriptions.append(subscription)
    for value in line.begin() { receive(subscription, Call(value: value, emission: context), fromSecond: false) }
    if last == .share && isFirst { connect() }
  }

  // MARK: Emitting

  private func receive(_ subscription: SubscriptionModel, _ call: Call, fromSecond: Bool, to wait: Wait? = nil) {
    let call = Call(value: call.value, emission: cell.handler.place == .stream ? 0 : call.emission)
    let item = Item(
      call, isFromSecond: fromSecond,
      isRevocable: !fromSecond && !cell.chain.contains(where: \.selectsSourceOfOneValue))
    if cell.handler.place != .stream { wait?.items.append((item, subscription.number)) }
    // Each handler with an owner has another.
    subscription.receive(item, isOnActor: isOnActor && (!cell.handler.hasOwner || subscription.number == 0))
  }
  private var isOnActor = false

  /// Gives the subscriptions the values that have passed the shared operators.
  private func pass(_ calls: [(call: Call, isFromSecond: Bool)], to wait: Wait? = nil, handlers: Int = .max) {
    for (call, isFromSecond) in calls {
      if sharedOperators.last == .replay { recent = (recent + [call.value]).suffix(2) }
      for subscription in subscriptions
      where !subscription.isPaused && !subscription.isCancelled && subscription.number < handlers {
        for value in subscription.line.accept(call.value) {
          receive(subscription, Call(value: value, emission: call.emission), fromSecond: isFromSecond, to: wait)
        }
      }
    }
    if let shared, shared.hasEnded { for subscription in subscriptions { subscription.line.endSource() } }
  }
  /// The values that wait at a shared operator with one order, while an earlier one is being passed on.
  private var waiting: [() -> Void] = []
  private var isPassing = false
  private var waitsAtShared: Bool {
    cell.source.isImmediate && !sharedOperators.dropLast().allSatisfy(\.passesOverlapping)
  }
  private func deliver(_ number: Int, _ emission: Int, _ wait: Wait?, isOnActor: Bool, to handlers: Int = .max) {
    if !waitsAtShared { return passOn(number, emission, wait, isOnActor: isOnActor, to: handlers) }
    waiting.append { [unowned self] in passOn(number, emission, wait, isOnActor: isOnActor, to: handlers) }
    if isPassing { return }
    isPassing = true
    while !waiting.isEmpty { waiting.removeFirst()() }
    isPassing = false
    if isEnding { end() }
  }
  private func passOn(_ number: Int, _ emission: Int, _ wait: Wait?, isOnActor: Bool, to handlers: Int) {
    self.isOnActor = isOnActor
    let values = sharedOperators.isEmpty ? [number] : shared?.accept(number) ?? []
    pass(
      values.map { (Call(value: $0, emission: emission), false) }, to: wait,
      handlers: sharedOperators.isEmpty ? handlers : .max)
    self.isOnActor = false
    wait?.isDelivered = true
  }
  func emit(isOnActor: Bool) { emit(to: nil, isOnActor: isOnActor) }
  private func emit(to wait: Wait?, isOnActor: Bool = false) {
    emissions += 1
    if isOver || isEnding {
      wait?.isDelivered = true
      return
    }
    current = emissions
    if cell.source.isImmediate { return deliver(emissions, emissions, wait, isOnActor: isOnActor) }
    queue.append(
      (
        emissions, cell.source.deliversInFirstTask && isDelivering ? context : emissions, wait, isOnActor,
        subscriptions.count
      ))
    if isDelivering { return }
    isDelivering = true
    while !queue.isEmpty {
      let next = queue.removeFirst()
      deliver(next.number, next.emission, next.wait, isOnActor: next.isOnActor, to: next.handlers)
    }
    isDelivering = false
    if isEnding { end() }
  }
  func emitSecond() {
    secondEmissions += 1
    if let shared {
      pass(
        shared.acceptSecond(secondEmissions).map { (Call(value: $0, emission: secondEmissions), $1) })
    }
    for subscription in subscriptions where !subscription.isPaused && !subscription.isCancelled {
      for (value, isFromSecond) in subscription.line.acceptSecond(secondEmissions) {
        receive(subscription, Call(value: value, emission: secondEmissions), fromSecond: isFromSecond)
      }
    }
  }

  // MARK: Ending

  private func end() {
    isOver = true
    shared?.endSource()
    for subscription in subscriptions where sharedOperators.isEmpty || shared?.hasEnded == true {
      subscription.line.endSource()
    }
  }

  // MARK: Acting

  func arm(_ act: Act) { armed = act }
  func perform(_ act: Act) {
    let first = subscriptions[0]
    switch act {
    case .cancel, .drop: first.cancel()
    case .pause: first.isPaused = true
    case .pauseResume:
      first.isPaused = true
      first.isPaused = false
    case .cancelAll:
      cutOff()
      // A subscription that ends with it is cancelled as a whole.
      for subscription in subscriptions { subscription.drop { $0.isRevocable || !subscription.isActive } }
    case .finish, .releaseSource: if isDelivering || isPassing { isEnding = true } else { end() }
    case .drained: wait(for: subscriptions.flatMap { each in each.unhandled.map { ($0, each.number) } })
    case .subscriptionDrained: wait(for: first.unhandled.map { ($0, 0) })
    case .subscriptionFinish:
      first.cancel()
      wait(for: first.called.map { ($0, 0) })
    case .emitAndWait:
      let wait = Wait(waits.count, [])
      waits.append(wait)
      wait.isDelivered = false
      // The first values of a source that it selects are waited for with those before.
      if cell.chain.contains(where: \.selectsSourceOfOneValue) { wait.earlier = subscriptions.flatMap(\.unhandled) }
      emit(to: wait)
    case .subscribe: subscribe()
    case .finishAndSubscribe:
      end()
      subscribe()
    case .releaseOwner: first.ownerIsReleased = true
    case .emit: emit(to: nil)
    case .cancelAllAndSubscribe:
      perform(.cancelAll)
      subscribe()
    case .emitAndFinish:
      emit(to: nil)
      perform(.finish)
    case .finishAndEmit:
      perform(.finish)
      emit(to: nil)
    case .emitAndSubscribe:
      emit(to: nil)
      subscribe()
    }
  }
  /// No subscription is one of the source any more, which goes on.
  private func cutOff() {
    shared?.endSource()
    for subscription in subscriptions where sharedOperators.isEmpty || shared?.hasEnded == true {
      subscription.line.endSource()
    }
  }
  private func wait(for items: [(Item, Int)]) { waits.append(Wait(waits.count, items)) }

  func resume() { subscriptions[0].isPaused = false }
  func run() {
    // A handler may add another.
    var number = 0
    while number < subscriptions.count {
      subscriptions[number].run()
      number += 1
    }
  }
  func release() {
    for subscription in subscriptions { subscription.release() }
    run()
  }
  var isSuspended: Bool { subscriptions.contains { $0.running != nil } }
}
