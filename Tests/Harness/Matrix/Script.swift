/// An operation on a subscription or its source.
enum Act: String, CaseIterable, Sendable {
  case cancel, drop, pause, pauseResume, cancelAll, finish, drained, subscriptionDrained, emitAndWait
  case subscriptionFinish, subscribe, finishAndSubscribe, releaseOwner, releaseSource, emit
  case emitAndFinish, finishAndEmit, emitAndSubscribe, cancelAllAndSubscribe

  /// Whether it finishes the source.
  var needsEnd: Bool { [.finish, .finishAndSubscribe, .emitAndFinish, .finishAndEmit].contains(self) }
  /// Whether it is done to an event, not to a subscription.
  var needsEvent: Bool { needsEnd || [.cancelAll, .cancelAllAndSubscribe, .drained, .emitAndWait].contains(self) }
}

/// One step of a script. Between the steps nothing runs.
enum Step: Sendable {
  case emit, emitSecond, emitOnActor
  /// Runs what waits on the executors, until nothing does.
  case run
  /// Runs what waits on the task pool.
  case runPool
  /// Lets the suspended call of each handler go on, and runs; all calls that follow as well.
  case release, releaseAll
  case act(Act)
  case actOnActor(Act)
  case actElsewhere(Act)
  /// The handler does it in its next call.
  case arm(Act)
  case resume
}

/// The moments at which something is done.
enum Moment: String, CaseIterable, Sendable {
  /// Nothing waits; values wait; a call is suspended and values wait.
  case quiet, waiting, calling
  /// In the handler; on its actor before its queue runs; on another thread while values wait.
  case inHandler, onActor, elsewhere
  /// As `onActor`, when a task of the pool is on its way to the actor.
  case onTheWay
  /// As `quiet`, and the values are emitted on the handler's actor.
  case emittingOnActor

  func applies(to act: Act, _ kind: HandlerKind) -> Bool {
    switch self {
    case .calling: kind.isSuspended
    case .onActor, .onTheWay, .emittingOnActor: kind.isOnActor
    case .quiet, .waiting, .inHandler, .elsewhere: true
    }
  }

  func script(_ act: Act, isOfHook: Bool) -> [Step] {
    // The values that follow show what the act did.
    let after: [Step] =
      act == .pause
      ? [.emit, .run, .releaseAll, .resume, .emit, .emitSecond, .run, .releaseAll]
      : [.emit, .emitSecond, .emit, .run, .releaseAll]
    let three: [Step] = [.emit, .emit, .emitSecond, .emit]
    switch self {
    case .quiet: return [.emit, .emitSecond, .run, .releaseAll, .act(act)] + after
    case .waiting: return three + [.act(act), .run, .releaseAll] + after
    case .calling:
      // The other handler of a hook is in its call first.
      return three + [.run] + (isOfHook ? [.release] : []) + [.act(act), .run, .release] + after
    case .inHandler: return [.emit, .run, .releaseAll, .arm(act)] + three + [.run, .releaseAll] + after
    case .onActor: return three + [.actOnActor(act), .run, .releaseAll] + after
    case .onTheWay: return three + [.runPool, .actOnActor(act), .run, .releaseAll] + after
    case .elsewhere: return three + [.actElsewhere(act), .run, .releaseAll] + after
    case .emittingOnActor:
      return [.emitOnActor, .emitOnActor, .run, .releaseAll, .act(act), .emitOnActor, .emitSecond, .emitOnActor]
        + [.run, .releaseAll] + (act == .pause ? [.resume] : []) + [.emit, .emitOnActor, .run, .releaseAll]
    }
  }
}

/// A row of the matrix: one course, with one expectation.
struct Cell: Sendable, CustomStringConvertible {
  var source: SourceKind
  var chain: [Operator]
  var handler: HandlerKind
  var act: Act
  var moment: Moment

  var description: String {
    ([source.rawValue] + chain.map(\.rawValue) + [handler.rawValue, act.rawValue, moment.rawValue]).joined(
      separator: ".")
  }
  /// Why there is no such row; nil if there is one.
  var inapplicability: String? {
    if let reason = inapplicabilityToSource { return reason }
    if act.needsEvent, source.family == .general, !source.isEvent {
      return "a value has no end and no waiting of its own"
    }
    if act == .releaseOwner, !handler.hasOwner { return "the handler has no owner" }
    if !moment.applies(to: act, handler) { return "the handler has no actor, or its calls are not suspended" }
    if chain.filter(\.hasSecond).count > 1 {
      return "which of two operators hears the second source first depends on when they subscribed"
    }
    if chain.filter(\.isShared).count > 1 { return "two shared operators behind one another are one" }
    if act == .finishAndSubscribe, moment == .inHandler { return "the event ends when its handler has returned" }
    if act == .releaseOwner, moment == .onTheWay { return "a call that is on its way to an actor keeps it" }
    if [.subscribe, .emitAndSubscribe].contains(act), moment == .inHandler, chain.contains(.share),
      handler.isOnce || [.prefix, .prefixWhile].contains(chain.last)
    {
      return "the one subscription ends in the call: whether the operators have disconnected then is open"
    }
    if [.cancelAll, .cancelAllAndSubscribe].contains(act), moment == .inHandler, chain == [.prefix, .zipLiving],
      handler.place == .stream
    {
      return "the last pair belongs to the other source, and came when the event's own values had left the buffer"
    }
    if [.cancelAll, .cancelAllAndSubscribe].contains(act) || (act == .releaseSource && source.sendsInitial),
      chain == [.share, .livingFlatMap]
    {
      return "a selection connects the shared operators anew"
    }
    if act == .cancelAllAndSubscribe, moment == .inHandler, chain == [.zipLiving, .share] {
      return "a zip that has lost a source ends when the delivery has returned: until then a handler may join it"
    }
    if source.sendsInitial, chain == [.share, .zipSelf] {
      return "the first of the two subscriptions of `zip` connects, and the second receives no initial value"
    }
    return nil
  }
  private var inapplicabilityToSource: String? {
    if source.family == .general { return nil }
    if !chain.isEmpty { return "it has no operators" }
    if source.isLocal {
      if !handler.applies(toLocal: source) { return "it has no such form of handler" }
      if [.drained, .subscriptionDrained, .subscriptionFinish, .emitAndWait].contains(act) { return "nothing waits" }
      if moment == .elsewhere { return "it stays in one isolation" }
      if act.needsEnd, !source.isEvent { return "it has no end of its own" }
      if [.cancelAll, .cancelAllAndSubscribe].contains(act), source.family == .local, !source.isEvent {
        return "it has no such operation"
      }
    } else {
      if !handler.appliesToHook { return "a hook has no such form of handler" }
      if act.needsEnd || [.drained, .subscriptionDrained].contains(act) {
        return "a question waits for its handlers itself"
      }
    }
    return nil
  }
}
