/// Nodes that a thread passes to a task, after it has delivered a round of notifications that other threads caused.
///
/// They stay flagged as enqueued, each with the reference of the queue. So no other thread enqueues them, and one deliverer
/// notifies their handlers in order.
final class OffloadedNotifications: @unchecked Sendable {  // filled by the thread that makes it, emptied by its task
  private let nodes: RawStack<NodePointer>
  private init(_ nodes: RawStack<NodePointer>) { self.nodes = nodes }
  deinit { nodes.free() }

  static func start(_ context: ContextPointer, _ here: (any Actor)?) {
    let offloaded = OffloadedNotifications(context.pointee.notifications.offloaded)
    context.pointee.notifications.offloaded = RawStack()
    Task { await offloaded.deliver(here) }
  }
  private func deliver(_ here: isolated (any Actor)?) async {
    let context = Context.current
    for index in 0..<nodes.count { context.pointee.notifications.push(nodes[index]) }
    Context.drain(context, here)
  }
}
