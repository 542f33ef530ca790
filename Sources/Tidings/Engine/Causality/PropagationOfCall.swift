/// The propagation that the call of an asynchronous handler is part of.
///
/// A thread's `CausalScope` does not follow a call that is suspended, and a task-local value does. Tasks that the handler starts
/// inherit it, but what they write is a propagation of its own. So the value names the task that makes the call.
enum PropagationOfCall {
  @TaskLocal private static var call: (task: Int, propagation: UInt)?

  /// 0 outside such a call.
  static var current: UInt {
    guard let call, call.task == CompletionCounter.currentTask else { return 0 }
    return call.propagation
  }
  /// Runs a call. The current task makes it.
  static func during(_ propagation: UInt, _ body: () async -> Void) async {
    if propagation == 0 { return await body() }
    await Self.$call.withValue((CompletionCounter.currentTask, propagation)) { await body() }
  }
}
