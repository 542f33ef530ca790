/// What leads to one handler and may outlast its place in the list: a queue to an actor, the buffers of a stream, a slot that
/// is asked questions.
///
/// The token keeps it, so that a call can be prevented, or waited for, after the handler has ended. What a list of handlers
/// must be able to say to it, without knowing which; never under the list's lock, but for `waiting`, which looks and calls nobody.
@usableFromInline
class Outlet: @unchecked Sendable {  // nothing is stored here
  /// Values that wait or are being handled.
  var waiting: Int { 0 }
  /// Afterwards no call begins and nothing that waits is handed out; it is dropped, and the handler let go.
  func close() { fatalError("abstract") }
  /// Nothing more will come. What waits may still arrive; then it closes.
  func retire() { fatalError("abstract") }
  /// Drops what waits, and what comes until `unmute()`.
  func mute() { fatalError("abstract") }
  func unmute() { fatalError("abstract") }
  /// Returns when no call is running.
  func idle() async { fatalError("abstract") }
}
