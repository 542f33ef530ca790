#if NATS
import TidingsRemote

/// Emits one event after the other until one has been received: a subscription takes effect only when the broker has it.
///
/// After each event the receiver's connection stores a message. The broker answers it after it has processed the earlier
/// subscriptions. So few events are needed, and no more are under way than a slow machine can take.
struct Pace {
  private let kept: KeptEvent<Int>
  init(_ receiver: Relay) { kept = receiver.event("pace", of: Int.self, delivery: .kept) }

  func emitting(until isReceived: @autoclosure () -> Bool, _ emit: () -> Void) async throws {
    while !isReceived() {
      emit()
      try await kept.send(0)
    }
  }
}
#endif
