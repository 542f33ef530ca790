import Observation

/// A tracked property. Tracking ends with the first change, so a handler that wants every change arms itself again in each call. It
/// is called before the change, so it reads the old value. It cannot be cancelled.
@Observable
final class ObservationPeer: Contender, @unchecked Sendable {
  static let name = "Observation, re-armed"
  private var last = Notified(payload: 0)

  /// It is not Equatable: setting an equal value would notify no observer, and an event is delivered every time.
  private struct Notified { let payload: Int }

  init() {}

  func subscribe(_ tally: Tally) { arm(tally) }

  // Unowned: a strong reference would keep the model alive forever, and a weak one would cost more.
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
