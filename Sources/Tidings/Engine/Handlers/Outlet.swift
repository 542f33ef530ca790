/// What leads to one handler and may outlast its place in the list: a queue to an actor, the buffers of a stream, a slot that
/// is asked questions.
///
/// The token keeps it, so that a call can be prevented, or waited for, after the handler has ended. This is what a list of
/// handlers must be able to say to it, without knowing which kind it is. Whether the handler is paused is not kept here: an
/// outlet asks the slot. Only `waiting`, `mute` and `unmute` are called under the list's lock; they run no user code.
@usableFromInline
class Outlet: @unchecked Sendable {  // nothing is stored here
  /// Values that wait or are being handled.
  var waiting: Int { 0 }
  /// Values that were dropped because more came than may wait.
  var dropped: Int { 0 }
  /// Afterwards no call begins and nothing that waits is handed out; it is dropped, and the handler let go.
  func close() { fatalError("abstract") }
  /// Nothing more will come. What waits may still arrive; then it closes.
  func retire() { fatalError("abstract") }
  /// The handler is paused: takes out what waits, to be destroyed by the caller outside the lock.
  func mute() -> AnyObject? { fatalError("abstract") }
  /// The handler is no longer paused: gives back what is to happen for that, to be released by the caller outside the lock.
  func unmute() -> AnyObject? { nil }
  /// Returns when no call is running.
  func idle() async { fatalError("abstract") }
  /// Leaves `ticket` when what has come so far has been handled or dropped. The caller has entered it.
  func whenDrained(_ ticket: Ticket) { ticket.leave() }
}
