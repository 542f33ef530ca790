/// The messages that a claim has given to a handling: those that wait, the one that is with the handler, and those whose outcomes
/// have yet to be settled.
///
/// A pure value: its owner calls the handler and the transport, and passes the time.
struct ClaimedBatch {
  /// After a call that has taken so long, the messages that wait behind it are given back, whatever becomes of the call.
  static let patience = Duration.seconds(10)

  private struct Call {
    let message: ClaimedMessage
    let began: Duration
    /// The messages behind it were given back.
    var isSlow = false
    /// Its own message was given back.
    var isGivenUp = false
  }
  private var waiting: ArraySlice<ClaimedMessage> = []
  private var call: Call?
  private var outcomes: [(ClaimedMessage, ClaimOutcome)] = []
  /// A call was slow: until one is quick, nothing is claimed that would have to wait.
  private(set) var isSlow = false
  private let delivery: KeptDelivery

  init(_ delivery: KeptDelivery) { self.delivery = delivery }

  var limit: Int { isSlow ? 1 : delivery.batch }

  mutating func add(_ claimed: [ClaimedMessage]) { waiting = claimed[...] }

  /// The next message. The others of its batch still wait.
  mutating func next() -> ClaimedMessage? { waiting.popFirst() }
  /// Gives back what waits.
  mutating func returnWaiting() {
    outcomes += waiting.map { ($0, .returned(after: .zero)) }
    waiting = []
  }

  mutating func begin(_ message: ClaimedMessage, at now: Duration) { call = Call(message: message, began: now) }
  /// - Returns: Whether the message is still this handling's, so that its outcome counts.
  mutating func end() -> Bool {
    defer { call = nil }
    isSlow = call?.isSlow ?? isSlow
    return call?.isGivenUp != true
  }
  var isGivenUp: Bool { call?.isGivenUp == true }
  mutating func add(_ outcome: ClaimOutcome, of message: ClaimedMessage) { outcomes.append((message, outcome)) }

  mutating func takeOutcomes() -> [(ClaimedMessage, ClaimOutcome)] {
    defer { outcomes = [] }
    return outcomes
  }

  /// When the call will have taken too long; nil if there is none that could.
  var deadline: Duration? {
    guard let call, !call.isGivenUp else { return nil }
    let timeout = delivery.timeout.map { call.began + $0 }
    let patience = call.isSlow ? nil : call.began + Self.patience
    guard let timeout, let patience else { return timeout ?? patience }
    return min(timeout, patience)
  }
  enum Overdue: Equatable {
    case no
    /// Messages behind the call were given back.
    case slow
    /// The message of the call, too: the call is to be cancelled.
    case givenUp
  }
  /// Gives back what a call keeps that takes too long. The outcomes are to be settled.
  mutating func expire(at now: Duration) -> (overdue: Overdue, id: String) {
    guard let current = call, let deadline, deadline <= now else { return (.no, "") }
    let id = current.message.message.id
    call?.isSlow = true
    let hadWaiting = !waiting.isEmpty
    returnWaiting()
    guard let timeout = delivery.timeout, current.began + timeout <= now else { return (hadWaiting ? .slow : .no, id) }
    call?.isGivenUp = true
    let reason = "its handler did not return in \(timeout)"
    outcomes.append((current.message, delivery.outcome(of: current.message, failedFor: reason)))
    return (.givenUp, id)
  }
}

extension KeptDelivery {
  /// The outcome of a message whose handler has failed.
  func outcome(of claimed: ClaimedMessage, failedFor reason: String) -> ClaimOutcome {
    claimed.attempt >= attempts ? .dead(reason: reason) : .retry(after: delay(after: claimed.attempt))
  }
}
