// Compiled in the modules that use them, see `Event+Relaying.swift`.

/// An operator that waits before it passes values on, for one subscription: the operators with a clock are made of it.
///
/// - `receive` is called with each value where the source delivers; returns what is queued, unless the value was revoked on its way.
///   `accepted` is called under the queue's lock when it was not. It returns whether the item takes the place of the last that waits
///   in the queue.
/// - `wait` is called with what is queued, one call at a time, in a task. Returns what is passed on, or nil. `isRevoked` says whether
///   anything can still be passed on: the subscription may have been cancelled or paused.
/// - `wake` is called when what waits was revoked, from any thread.
/// - `end` is called when the source has ended or the subscription was cancelled: no more values come, and calls may still follow.
@usableFromInline
package typealias WaitingOperator<Input: Sendable, Item: Sendable, Output: Sendable> = (
  receive: @Sendable (Input) -> (item: Item, accepted: () -> Bool),
  wait: @Sendable (_ item: Item, _ isRevoked: @Sendable () -> Bool) async -> Output?,
  wake: @Sendable () -> Void,
  end: @Sendable () -> Void
)

extension AnyEventSource {
  /// The values that an operator of its own passes on in each subscription: a queue of the source's values, whose calls wait, and a
  /// relay behind it.
  ///
  /// Ownership is that of `relayed`. When the source ends, the queue is emptied first, and then the relay ends.
  @_alwaysEmitIntoClient
  package static func waiting<Source: EventSource, Item: Sendable>(
    on source: Source, _ begin: @escaping @Sendable () -> WaitingOperator<Source.Payload, Item, Payload>
  ) -> AnyEventSource {
    let source = source.oneAtATime
    return AnyEventSource(.serial) { handler in
      let (links, site) = (UpstreamSubscriptions(), handler.site)
      let relay = Event<Payload>("wait", file: site.file, line: site.line)
      let subscription = relay.attach(handler.holding(links))
      let waiting = begin()
      let (receive, wait, end) = (waiting.receive, waiting.wait, OnDeinit(waiting.end))
      let slot = AwaitingSlot(before: relay, waking: waiting.wake, site)
      links.keep(
        source.attach(
          EventHandler(
            passing: { value, context in
              withExtendedLifetime(end) {
                let (item, accepted) = receive(value)
                slot.post(context, accepted: accepted) { permit in
                  if let output = await wait(item, { !permit.isValid }) {
                    await slot.pass(permit) { relay.relayFromTask(output, $0, through: $1) }
                  }
                }
              }
            }, to: slot, selfCancellation: nil, site)))
      return subscription
    }
  }
}

extension EventSource {
  /// The same values, in subscriptions that something else than a value completes. `begin` is called for each of them. It receives the
  /// function that completes the subscription, and returns what is called with each value and at the end.
  @_alwaysEmitIntoClient
  package func completing(
    _ begin:
      @escaping @Sendable (_ complete: @escaping @Sendable () -> Void) -> (
        onValue: @Sendable () -> Void, onEnd: @Sendable () -> Void
      )
  ) -> AnyEventSource<Payload> {
    completing { pass, completion in
      let (onValue, onEnd) = begin { completion.complete() }
      let end = OnDeinit(onEnd)
      return { value, context in
        withExtendedLifetime(end) {
          onValue()
          pass(value, context)
        }
      }
    }
  }
}
