/// A value that was replaced while this thread was pinned, or an object that was retired while the thread destroyed others.
///
/// Destroying a value runs `deinit`. Deferring that past the pin lets the code read current values and write; doing it from a
/// queue keeps a cycle of deinits off the stack.
struct DeferredDestruction: BitwiseCopyable {
  let retired: RetiredPointer?
  let version: VersionPointer?
  let body: Unmanaged<Body>?
  /// The causal depth of what replaced it: what its destruction causes is one deeper.
  let depth: Int

  @inline(never)
  static func add(_ version: VersionPointer, of node: NodePointer, _ context: ContextPointer) {
    let body = node.pointee.body.retain()
    context.pointee.destructions.push(
      DeferredDestruction(retired: nil, version: version, body: body, depth: depth(context)))
  }
  static func add(_ retired: RetiredPointer?, _ context: ContextPointer) {
    guard let retired else { return }
    context.pointee.destructions.push(
      DeferredDestruction(retired: retired, version: nil, body: nil, depth: depth(context)))
  }
  private static func depth(_ context: ContextPointer) -> Int {
    context.pointee.isDestroying ? CausalFrame.currentDepth : context.pointee.scope.notificationDepth
  }
}

extension Context {
  var hasPendingDestructions: Bool { @inline(__always) get { unreferenced.count | destructions.count != 0 } }
}
