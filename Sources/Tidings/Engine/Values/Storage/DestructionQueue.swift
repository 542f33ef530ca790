/// The objects that a thread is to destroy, in the order in which they were queued. It destroys them outside computations and one
/// after the other, so a chain of 100,000 is destroyed without a stack of that depth.
struct DestructionQueue {
  /// Nodes that have lost a reference.
  var unreferenced = RawStack<NodePointer>()
  /// Destructions that wait for the end of the pin, or of a destruction under way.
  var deferred = RawStack<DeferredDestruction>()
  /// This thread is emptying the queue. An object that it destroys may add to the queue, but does not begin to empty it again.
  var isUnderWay = false

  var isEmpty: Bool { @inline(__always) get { unreferenced.count | deferred.count == 0 } }
  func free() {
    unreferenced.free()
    deferred.free()
  }
}

/// A value that was replaced while this thread was pinned, or an object that was retired while the thread destroyed others.
///
/// Destroying a value runs `deinit`. Deferring that past the pin lets the code read current values and write. Doing it from a queue
/// keeps a cycle of deinits off the stack.
struct DeferredDestruction: BitwiseCopyable {
  let retired: RetiredPointer?
  let version: VersionPointer?
  let body: Unmanaged<Body>?
  /// The causal depth of the change that replaced it. A change that its destruction causes is one deeper.
  let depth: Int

  @inline(never)
  static func add(_ version: VersionPointer, of node: NodePointer, _ context: ContextPointer) {
    let body = node.pointee.body.retain()
    context.pointee.destruction.deferred.push(
      DeferredDestruction(retired: nil, version: version, body: body, depth: depth(context)))
  }
  static func add(_ retired: RetiredPointer?, _ context: ContextPointer) {
    guard let retired else { return }
    context.pointee.destruction.deferred.push(
      DeferredDestruction(retired: retired, version: nil, body: nil, depth: depth(context)))
  }
  private static func depth(_ context: ContextPointer) -> Int {
    context.pointee.destruction.isUnderWay ? CausalFrame.currentDepth : context.pointee.scope.notificationDepth
  }
}
