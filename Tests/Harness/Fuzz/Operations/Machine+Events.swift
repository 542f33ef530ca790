import Tidings

final class Owner: Sendable {}

/// A queued value, and the handlers that are still to receive it.
final class Emission {
  let value: Int
  var audience: [ModelHandler]
  /// The handlers that it makes learn that their owner is destroyed, unless they are paused before their turn.
  var detecting: [ModelHandler] = []
  init(_ value: Int, _ audience: [ModelHandler]) { (self.value, self.audience) = (value, audience) }
}

final class ModelEvent {
  var event: Event<Int>
  var current: Emission?
  var queue: [Emission] = []
  var isFinished = false
  init(_ event: Event<Int>) { self.event = event }

  var pending: [Emission] { (current.map { [$0] } ?? []) + queue }
}

final class ModelHandler {
  enum Kind { case plain, viewed, once, owned, stream }
  /// Returns whether the operators of a viewed event pass a value.
  static let views: @Sendable (Int) -> Bool = { $0 % 3 > 0 }
  let event: ModelEvent
  let kind: Kind
  var token: Subscription?
  var owner: Owner?
  var stream: ModelStream?
  var isPaused = false
  var isEnded = false
  /// Its owner is destroyed and no value has come since. No call begins any more, but `isActive` may say either: the library
  /// detects the end of an owner when the event is next used.
  var isUndetected = false
  init(_ event: ModelEvent, _ kind: Kind) { (self.event, self.kind) = (event, kind) }
}

extension Machine {
  func operateOnEvents() {
    let event = events[bytes.number(below: events.count)]
    switch bytes.number(below: 20) {
    case 0..<6: emit(on: event)
    case 6..<10: add(to: event)
    case 10:
      withToken { handler, token in
        end(handler)
        handler.isUndetected = false
        token.cancel()
      }
    case 11:
      withToken { handler, token in
        handler.isPaused = true
        stop(handler)
        token.pause()
      }
    case 12, 13:
      withToken { handler, token in
        handler.isPaused = false
        token.resume()
      }
    case 14: drop()
    case 15:
      // A running call holds its owner, for how long is the compiler's choice.
      let owned = handlers.filter { $0.owner != nil }
      guard delivering.isEmpty, !owned.isEmpty else { return }
      let handler = owned[bytes.number(below: owned.count)]
      if !handler.isEnded { handler.isUndetected = true }
      end(handler)
      handler.owner = nil
    case 16:
      for handler in handlers where handler.event === event {
        end(handler)
        handler.isUndetected = false
        // A cancelled stream gives nothing more, also nothing that it had buffered: not to a consumer that was woken either.
        handler.stream?.buffer = []
      }
      event.event.cancelAll()
    case 17: finish(event)
    case 18: replace(event)
    default:
      for _ in 0..<3 { emit(on: event) }
    }
  }

  private func emit(on event: ModelEvent) {
    nextValue += 1
    let emission = Emission(
      nextValue,
      event.isFinished
        ? []
        : handlers.filter {
          $0.event === event && !$0.isEnded && !$0.isPaused && ($0.kind != .viewed || ModelHandler.views(nextValue))
        })
    if event.isFinished {
      event.event.emit(nextValue)
    } else if event.current != nil {
      event.queue.append(emission)
      event.event.emit(nextValue)
    } else {
      event.current = emission
      delivering.append(event)
      emission.detecting = handlers.filter { $0.event === event && $0.isUndetected && !$0.isPaused }
      event.event.emit(nextValue)
      passStreams(event)
      expect(event.current?.audience.isEmpty ?? true && event.queue.isEmpty, "a value was not delivered to all")
      event.current = nil
      delivering.removeLast()
      for handler in emission.detecting { handler.isUndetected = false }
      if event.isFinished { endAll(event) }
    }
  }

  /// Delivers to the streams before the next handler. A stream receives its value unseen; the call of a handler is seen.
  private func passStreams(_ event: ModelEvent) {
    while true {
      while let first = event.current?.audience.first, let stream = first.stream {
        stream.push(event.current!.value)
        event.current!.audience.removeFirst()
      }
      guard event.current?.audience.isEmpty ?? true, !event.queue.isEmpty else { return }
      event.current = event.queue.removeFirst()
    }
  }

  private func received(_ handler: ModelHandler, _ value: Int) {
    guard let event = delivering.last, event === handler.event else {
      return expect(false, "a handler is called by an event that does not deliver")
    }
    passStreams(event)
    expect(
      event.current?.audience.first === handler && event.current?.value == value,
      "a handler receives \(value) out of turn, or after its end")
    event.current?.audience.removeFirst()
    if handler.kind == .once { end(handler) }
    guard allowance > 0, bytes.isOne(in: 3) else { return }
    allowance -= 1
    if bytes.isOne(in: 4) { operateOnValues() } else { operateOnEvents() }
  }

  private func add(to event: ModelEvent) {
    guard handlers.count < 200 else { return }
    let kind: ModelHandler.Kind = [.plain, .plain, .viewed, .once, .owned][bytes.number(below: 5)]
    let handler = ModelHandler(event, kind)
    let captured = Captured()
    // Unowned: the machine retains the model's handlers until all events are deinitialized.
    let call: @Sendable (Int) -> Void = { [unowned self, box = Unchecked(handler)] value in
      captured.touch()
      guard let handler = box.object else { return expect(false, "a handler is called after its end") }
      received(handler, value)
    }
    switch kind {
    case .plain, .stream: handler.token = event.event.observe(call)
    case .viewed: handler.token = event.event.map { $0 }.filter(ModelHandler.views).observe(call)
    case .once: handler.token = event.event.once(call)
    case .owned:
      let owner = Owner()
      handler.owner = owner
      handler.token = event.event.observe(with: owner) { _, value in call(value) }
    }
    handler.isEnded = event.isFinished
    handlers.append(handler)
  }

  private func withToken(_ act: (ModelHandler, Subscription) -> Void) {
    let held = handlers.filter { $0.token != nil }
    guard !held.isEmpty else { return }
    let handler = held[bytes.number(below: held.count)]
    guard let token = handler.token else { return }
    act(handler, token)
    if handler.isUndetected { return }
    expect(token.isActive == !handler.isEnded, "a token says \(token.isActive) of a handler")
  }

  private func drop() {
    let held = handlers.filter { $0.token != nil }
    guard !held.isEmpty else { return }
    let handler = held[bytes.number(below: held.count)]
    // The token of an owned handler and of one that is called once may be dropped.
    if handler.kind == .plain || handler.kind == .viewed { end(handler) }
    handler.token = nil
  }

  private func finish(_ event: ModelEvent) {
    guard bytes.isOne(in: 3) else { return }
    event.isFinished = true
    if event.current == nil { endAll(event) }
    event.event.finish()
  }

  /// A finished event has delivered what it had accepted.
  private func endAll(_ event: ModelEvent) {
    for handler in handlers where handler.event === event {
      end(handler)
      handler.isUndetected = false
    }
  }

  /// The last reference to an event is released; what it has accepted is delivered.
  private func replace(_ event: ModelEvent) {
    guard delivering.isEmpty, let place = events.firstIndex(where: { $0 === event }) else { return }
    endAll(event)
    events[place] = ModelEvent(Event("event", policy: .serial))
    // Not the new one: streams keep this model, which would keep that one alive when it is replaced in turn.
    event.event = Event("released")
    handlers.removeAll { $0.event === event && $0.kind != .stream }
  }

  func end(_ handler: ModelHandler) {
    handler.isEnded = true
    handler.stream?.hasEnded = true
    stop(handler)
  }
  private func stop(_ handler: ModelHandler) {
    for emission in handler.event.pending {
      emission.audience.removeAll { $0 === handler }
      emission.detecting.removeAll { $0 === handler }
    }
  }
}

/// A model's object, held weakly in a closure that is checked.
struct Unchecked<Object: AnyObject>: @unchecked Sendable {
  weak var object: Object?
  init(_ object: Object) { self.object = object }
}
