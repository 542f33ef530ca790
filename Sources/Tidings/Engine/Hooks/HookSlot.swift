import Synchronization

/// The slot that a hook owns for one handler.
///
/// One word counts the calls that run and says whether more may begin. So it serves callers that wait until the calls are
/// over, and it retains the closure, which is released when the handler has ended and no call runs. The slot itself is kept
/// meanwhile.
final class HookSlot: Slot, @unchecked Sendable {  // what is not `let` is atomic
  /// `ended` and `muted`, the number of calls, and how often the handler was paused.
  private let calls = Atomic<UInt>(0)
  private static let ended: UInt = 1
  private static let muted: UInt = 2
  private static let one: UInt = 4
  private static let turn = firstTurn(bits: UInt.bitWidth)
  /// Half of the word and two bits are for the calls: 32 bits where words have 64, 16 where they have 32.
  static func firstTurn(bits: Int) -> UInt { 1 << UInt(bits / 2 + 2) }

  /// Retained until the handler has ended and no call runs.
  final let answer: Unmanaged<AnyObject>
  private let waiters = Lock<[UnsafeContinuation<Void, Never>]>([])
  /// The self-cancellation of a handler with an owner, which is an `OwnedHookHandler`.
  private let ownCancellation: SelfCancellation?
  override var selfCancellation: SelfCancellation? { ownCancellation }
  var isOwned: Bool { ownCancellation != nil }
  /// The handler is isolated to an actor, on which it may have been cancelled or paused when a question arrives there.
  let isIsolated: Bool
  /// The timer of the observer of objects, if there was one when the handler was added.
  private let timer: ObjectObservation.CallTimer?

  init(
    _ answer: AnyObject, _ selfCancellation: SelfCancellation?, isIsolated: Bool,
    timer: ObjectObservation.CallTimer?
  ) {
    self.answer = .passRetained(answer)
    ownCancellation = selfCancellation
    self.isIsolated = isIsolated
    self.timer = timer
  }
  deinit {
    if calls.load(ordering: .acquiring) & Self.ended == 0 { Destruction.release(answer) }
  }

  private static func running(_ calls: UInt) -> UInt { calls & (turn - one) }

  /// Changes when the handler is paused: what was asked before is not for it.
  var turn: UInt { calls.load(ordering: .relaxed) / Self.turn }

  /// A call begins, unless the handler has ended or is paused, or was paused since the given turn: returns the number of calls
  /// that run now, this one included, or 0.
  @inline(__always)
  func enter(ifStill turn: UInt? = nil) -> UInt {
    var seen = calls.load(ordering: .relaxed)
    while seen & (Self.ended | Self.muted) == 0, turn == nil || seen / Self.turn == turn {
      let entered = calls.compareExchange(
        expected: seen, desired: seen + Self.one, successOrdering: .acquiring, failureOrdering: .relaxed)
      if entered.exchanged { return Self.running(seen) / Self.one + 1 }
      seen = entered.original
    }
    return 0
  }
  /// Whether a call that has entered, and has since come to the handler's actor, may begin.
  func isOpen(since turn: UInt) -> Bool {
    let calls = calls.load(ordering: .acquiring)
    return calls & (Self.ended | Self.muted) == 0 && calls / Self.turn == turn
  }
  /// The start of a call for `leave`; 0 where calls are not timed.
  @inline(__always)
  var start: UInt64 { timer == nil ? 0 : timed(from: 0) }
  @inline(never)
  private func timed(from start: UInt64) -> UInt64 { timer.unsafelyUnwrapped(start) }

  /// The call that began at `start` is over. The slot may have been released afterwards.
  @inline(__always)
  func leave(_ start: UInt64) {
    if start != 0 { _ = timed(from: start) }
    let calls = calls.subtract(Self.one, ordering: .acquiringAndReleasing).newValue
    if calls & Self.ended != 0, Self.running(calls) == 0 { finishLastCall() }
  }

  /// The last call of a handler that has ended is over.
  @inline(never)
  private func finishLastCall() {
    Destruction.release(answer)
    let waiting = waiters.withLock { waiters in
      defer { waiters = [] }
      return waiters
    }
    for waiter in waiting { waiter.resume() }
    Unmanaged.passUnretained(self).release()
  }

  override var endpoint: Endpoint? { self }
  override func seal() -> Unmanaged<Endpoint>? { .passRetained(self) }

  override var waiting: Int { Int(Self.running(calls.load(ordering: .relaxed)) / Self.one) }
  override func close() {
    // For the call that ends last, if one runs. Before the flag is set, as that call may end right after.
    let kept = Unmanaged.passRetained(self)
    let old = calls.bitwiseOr(Self.ended, ordering: .acquiringAndReleasing).oldValue
    if old & Self.ended != 0 { return kept.release() }
    if Self.running(old) != 0 { return }
    Destruction.release(answer)
    kept.release()
  }
  /// The hook was deinitialized, and a caller that asks retains it: no question is on its way.
  override func retire() { close() }
  override func pause() -> AnyObject? {
    var seen = calls.load(ordering: .relaxed)
    while true {
      let muted = calls.compareExchange(
        expected: seen, desired: (seen &+ Self.turn) | Self.muted, ordering: .acquiringAndReleasing)
      if muted.exchanged { return nil }
      seen = muted.original
    }
  }
  override func markResumed() {
    super.markResumed()
    calls.bitwiseAnd(~Self.muted, ordering: .acquiringAndReleasing)
  }
  override func idle() async {
    await withUnsafeContinuation { continuation in
      let busy = waiters.withLock { waiters in
        // The thread that ends the last call looks for waiters after it has counted that call.
        let busy = waiting != 0
        if busy { waiters.appendUnspecialized(continuation) }
        return busy
      }
      if !busy { continuation.resume() }
    }
  }
}
