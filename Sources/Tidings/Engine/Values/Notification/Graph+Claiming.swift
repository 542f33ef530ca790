// Decides which thread notifies the handlers of a value. It decides under the graph's lock, so that handlers receive changes in the
// order in which they were made.
extension Graph {
  /// Claims the delivery to the handlers of a node. Otherwise it leaves the change between two versions to another call, or to the
  /// outermost notification of this thread, and returns nil. With `turning`, the value of `old` has then become that of `new`.
  @inline(never)
  static func claim(
    orQueueChangeTo new: VersionPointer, from old: VersionPointer, of node: NodePointer, _ depth: Int, turning: Bool
  ) -> Claim? {
    let list = node.pointee.list.unsafelyUnwrapped.takeUnretainedValue()
    let isPostponing = depth > CausalLimits.nestedNotifications && Context.isTooNested
    // The node is enqueued too, so that `isPending` tests one queue.
    if isPostponing {
      node.pointee.references &+= 1
      Context.current.pointee.notifications.push(node)
    }
    let claim = list.claim(
      orQueue: { place in makeChange(of: node, from: old, to: new, turning: turning, at: place) }, depth: depth,
      postponing: isPostponing)
    switch claim {
    case .claimed(let claim): return claim
    case .queued: break
    case .postponed: Context.postpone(list)
    }
    return nil
  }

  private static func makeChange(
    of node: NodePointer, from old: VersionPointer, to new: VersionPointer, turning: Bool,
    at place: UnsafeMutableRawPointer
  ) {
    let offset = node.pointee.valueOffset
    let turned = turning ? old : copy(of: old, in: node)
    node.pointee.body._withUnsafeGuaranteedRef {
      $0.values.turn(UnsafeMutableRawPointer(turned) + offset, UnsafeMutableRawPointer(new) + offset, place)
      // Runs no user code: `new` holds the same value.
      if !turning { $0.values.destroy?(UnsafeMutableRawPointer(turned) + offset) }
    }
    if !turning { turned.deallocate() }
  }
}
