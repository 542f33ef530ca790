/// How many processes the message that is being handled has come through: what is emitted because of it counts on from there.
///
/// Known in handlers that are called in place and in those of kept events. What a handler on another actor emits counts from
/// the message that woke its queue.
enum Hops {
  @TaskLocal static var current = 0
  /// More than this is a feedback cycle between processes.
  static var limit: Int { 16 }
}
