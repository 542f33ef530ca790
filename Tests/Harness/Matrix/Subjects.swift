import Tidings

/// The kinds of source.
enum SourceKind: String, CaseIterable, Sendable {
  case serial, immediate, observed, derived
  /// The same values, whose handlers receive the current value first.
  case observedInitial, derivedInitial
  case localSerial, localImmediate, localObserved, localObservedInitial
  case hook, localHook

  enum Family { case general, local, hook }

  var family: Family {
    switch self {
    case .serial, .immediate, .observed, .derived, .observedInitial, .derivedInitial: .general
    case .localSerial, .localImmediate, .localObserved, .localObservedInitial: .local
    case .hook, .localHook: .hook
    }
  }
  /// Whether it and what belongs to it stay in one isolation.
  var isLocal: Bool { family == .local || self == .localHook }
  /// Whether it can be finished.
  var isEvent: Bool { [.serial, .immediate, .localSerial, .localImmediate].contains(self) }
  /// Whether emissions nest in one another.
  var isImmediate: Bool { self == .immediate || self == .localImmediate }
  var sendsInitial: Bool { [.observedInitial, .derivedInitial, .localObservedInitial].contains(self) }
  /// Whether a value that a handler causes is delivered by the task that began, with the task-local values of the first.
  var deliversInFirstTask: Bool {
    [.derived, .derivedInitial, .localSerial, .localObserved, .localObservedInitial].contains(self)
  }
}

/// A source in the course of a cell. What it has no operation for does nothing.
struct Subject: Sendable {
  /// For operators; taken out once.
  var source = Box<any EventSource<Int>>(nil)
  /// Adds a handler to a source that has no operators.
  var attach: @Sendable (HandlerKind, Receiver) -> Attached? = { _, _ in nil }
  var event: @Sendable () -> Event<Int>? = { nil }
  var emit: @Sendable (Int, isolated (any Actor)?) -> Void
  /// Returns when the value has been handled.
  var emitAndWait: @Sendable (Int) async -> Void = { _ in }
  var cancelAll: @Sendable () -> Void = {}
  var finish: @Sendable () -> Void = {}
  var drop: @Sendable () -> Void
}

extension SourceKind {
  func make() -> Subject {
    switch self {
    case .serial, .immediate:
      let box = Box(Event<Int>("source", policy: self == .serial ? .serial : .immediate))
      return Subject(
        source: Box(box.value!), event: { box.value }, emit: { box.value?.emit($0, isolation: $1) },
        emitAndWait: { await box.value?.emitAndWait($0, isolation: nil) }, cancelAll: { box.value?.cancelAll() },
        finish: { box.value?.finish() }, drop: { box.value = nil })
    case .observed, .observedInitial, .derived, .derivedInitial:
      let box = Box(Observed(0, label: "source"))
      let isDerived = self == .derived || self == .derivedInitial
      return Subject(
        source: Box(isDerived ? events(of: box.value!.map { $0 }) : events(of: box.value!)),
        emit: { box.value?.set($0, isolation: $1) }, drop: { box.value = nil })
    case .localSerial, .localImmediate, .localObserved, .localObservedInitial: return makeLocal()
    case .hook: return .hook()
    case .localHook: return .localHook()
    }
  }
  private func events(of value: some ValueSource<Int>) -> any EventSource<Int> {
    sendsInitial ? FromInitial(value: value).map(\.new) : value.map(\.new)
  }
}

/// The changes of a value, of which the first is to its current value.
private struct FromInitial<Source: ValueSource<Int>>: EventSource {
  let value: Source
  func attach(_ handler: EventHandler<Change<Int>>) -> Subscription {
    value.attach(handler, sendingInitial: true, isolation: nil)
  }
}
