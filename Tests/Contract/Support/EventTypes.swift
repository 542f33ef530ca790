import Tidings
import TidingsTesting

/// The library's own event types, as the kit wants them described.
enum EventTypes {
  static func event(_ name: String, policy: DeliveryPolicy = .serial) -> EventUnderTest<Event<Int>, Subscription> {
    described(name, { Event<Int>(policy: policy, maximumDepth: 50) }, events: { $0 }, source: { $0 })
  }

  /// A view of an event, of the same values.
  static func view(
    _ name: String, _ view: @escaping @Sendable (Event<Int>) -> AnyEventSource<Int>
  ) -> EventUnderTest<Viewed, Subscription> {
    described(name, { Viewed(view) }, events: { $0.event }, source: { $0.view })
  }

  static func local(
    _ name: String, policy: DeliveryPolicy = .serial
  ) -> EventUnderTest<LocalEvent<Int>, LocalSubscription> {
    var type = EventUnderTest(
      name,
      make: { LocalEvent<Int>(policy: policy, maximumDepth: 50) },
      add: { $0.observe($1) },
      emit: { $0.emit($1) },
      cancel: { $0.cancel() })
    type.dropCancels = true
    type.maximumDepth = 50
    type.isActive = { $0.isActive }
    type.addOnce = { $0.once($1) }
    type.addWithOwner = { $0.observe(with: $1, $2) }
    type.addThrowing = { event, onError, handler in event.observe(onError: onError, handler) }
    type.pause = { $0.pause() }
    type.resume = { $0.resume() }
    return type
  }

  private static func described<Source, View: EventSource<Int>>(
    _ name: String,
    _ make: @escaping @Sendable () -> Source,
    events: @escaping @Sendable (Source) -> Event<Int>,
    source: @escaping @Sendable (Source) -> View
  ) -> EventUnderTest<Source, Subscription> {
    var type = EventUnderTest(
      name,
      make: make,
      add: { source($0).observe($1) },
      emit: { events($0).emit($1) },
      cancel: { $0.cancel() })
    type.isThreadSafe = true
    type.dropCancels = true
    type.maximumDepth = 50
    type.isActive = { $0.isActive }
    type.addOnce = { source($0).once($1) }
    type.addWithOwner = { source($0).observe(with: $1, $2) }
    type.addThrowing = { view, onError, handler in source(view).observe(onError: onError, handler) }
    type.addOnActor = { view, actor, handler in
      source(view).observe(with: actor) { actor, value in handler(actor, value) }
    }
    type.emitOnActor = { event, actor, value in events(event).emit(value, isolation: actor) }
    type.pause = { $0.pause() }
    type.resume = { $0.resume() }
    type.finish = { await $0.finish() }
    return type
  }
}

/// An event and a view of it.
struct Viewed: Sendable {
  let event = Event<Int>(maximumDepth: 50)
  let view: AnyEventSource<Int>

  init(_ view: (Event<Int>) -> AnyEventSource<Int>) { self.view = view(event) }
}
