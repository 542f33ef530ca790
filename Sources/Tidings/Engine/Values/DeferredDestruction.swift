/// A value that was replaced while this thread was pinned, or an object that was retired while the thread destroyed others.
///
/// Destroying a value runs `deinit`. Deferring that past the pin lets the code read current values and write; doing it from a
/// queue keeps a cycle of deinits off the stack.
struct DeferredDestruction: BitwiseCopyable {
  private let retired: RetiredPointer?
  private let version: VersionPointer?
  private let body: Unmanaged<Body>?
  /// The causal depth of what replaced it: what its destruction causes is one deeper.
  private let depth: Int

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

  /// In the order in which they came, once the thread is not pinned, and then what the destructions add. They are no part of a
  /// transaction.
  static func destroyAll(_ context: ContextPointer) {
    guard !context.pointee.destructions.isEmpty else { return }
    let (paused, outer) = (Transaction.pause(), context.pointee.scope.notificationDepth)
    defer {
      context.pointee.scope.notificationDepth = outer
      if let paused { Transaction.resume(paused) }
    }
    var index = 0
    while index < context.pointee.destructions.count {
      let next = context.pointee.destructions[index]
      index += 1
      if index == context.pointee.destructions.count {
        context.pointee.destructions.removeAll()
        index = 0
      } else if index == 1 << 12 {
        context.pointee.destructions.remove(from: 0, to: index)
        index = 0
      }
      context.pointee.scope.notificationDepth = max(outer, next.depth)
      next.destroy(context)
    }
  }
  private func destroy(_ context: ContextPointer) {
    Retired.destroyAll(retired, context)
    guard let version, let body else { return }
    body._withUnsafeGuaranteedRef {
      $0.values.destroy?(UnsafeMutableRawPointer(version) + $0.values.offset)
      if $0.values.isUsual {
        context.pointee.giveBack(block: UnsafeMutableRawPointer(version))
      } else {
        UnsafeMutableRawPointer(version).deallocate()
      }
    }
    body.release()
  }
}

extension Context {
  var hasPendingDestructions: Bool { @inline(__always) get { unreferenced.count | destructions.count != 0 } }
}
