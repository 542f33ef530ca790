import Observation

/// A tracked property. Tracking ends with the first change, so a handler that wants to be notified of every change arms itself
/// again in each; and it is called before the change, so it reads the value before. It cannot be cancelled.
@Observable
final class ObservationPeer: Contender, @unchecked Sendable {
  static let name = "Observation, re-armed"
  private var last = Notified(payload: 0)

  /// Not Equatable: setting an equal value would notify no observer, and an event is delivered every time.
  private struct Notified { let payload: Int }

  init() {}

  func subscribe(_ tally: Tally) { arm(tally) }

  // Unowned: a strong reference would keep the model alive for ever, a weak one would cost more.
  private func arm(_ tally: Tally) {
    withObservationTracking {
      tally.add(last.payload)
    } onChange: { [unowned self] in
      arm(tally)
    }
  }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { last = Notified(payload: payload) }
  }
}
