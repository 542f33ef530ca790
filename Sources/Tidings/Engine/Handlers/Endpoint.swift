/// The endpoint of one handler, which may outlast its place in the list: a queue to an actor, the buffers of a stream, a slot
/// of a hook.
///
/// The token retains it, so that a call can be prevented, or waited for, after the handler has ended. This is what a list of
/// handlers must be able to ask of it without knowing its kind. Whether the handler is paused is not stored here: an endpoint
/// asks the slot. Only `waiting`, `pause` and `resume` are called under the list's lock; they run no user code.
@usableFromInline
class Endpoint: @unchecked Sendable {  // nothing is stored here
  /// Values that wait or are being handled.
  var waiting: Int { 0 }
  /// The number of values that were dropped because the buffer was full.
  var dropped: Int { 0 }
  /// Whether a call that is running still counts for `drained()` when the handler was cancelled.
  var deliversAfterCancel: Bool { false }
  /// Afterwards no call begins and no queued value is delivered; what is queued is dropped and the handler released.
  func close() { fatalError("abstract") }
  /// No more values will come. What is queued may still be delivered; then it closes.
  func retire() { fatalError("abstract") }
  /// The handler is paused: returns what is queued, to be destroyed by the caller outside the lock.
  func pause() -> AnyObject? { fatalError("abstract") }
  /// The handler is resumed: returns an object whose destruction, outside the lock, does what is to happen then.
  func resume() -> AnyObject? { nil }
  /// Drops the waiting values that came through an upstream subscription. Under no lock.
  func revoke(_ origin: UpstreamNumber, through path: BarrierPath?) {}
  /// Before one of several endpoints before the same relay closes: revokes what came through here and waits there or behind it.
  func revokeUpstream() {}
  /// Returns when no call is running.
  func idle() async { fatalError("abstract") }
  /// Leaves `counter` when the values that have come so far have been handled or dropped. The caller has entered it.
  func whenDrained(_ counter: CompletionCounter) { counter.leave() }
}
