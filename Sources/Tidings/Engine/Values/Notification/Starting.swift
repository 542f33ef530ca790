// Starts: the first run of an effect, a handler's call with the initial value, the first write of a bond.
extension Context {
  /// Makes a call when this thread neither computes nor notifies and is in no transaction: immediately, if it is so now.
  ///
  /// The body gets the actor on which the thread is then, as far as that is known.
  static func start(_ here: (any Actor)?, _ body: @escaping (_ here: (any Actor)?) -> Void) {
    let context = current
    context.pointee.notifications.push(
      PendingStart(call: .passRetained(StartCall(body)), depth: CausalFrame.currentDepth))
    drain(context, here)
  }

  /// Makes the call that has waited longest. It is no part of what other starts cause, and causes what it sets like a handler.
  @inline(never)
  static func makeStart(_ context: ContextPointer, _ here: (any Actor)?) {
    let start = context.pointee.notifications.takeStart()
    let outer = context.pointee.scope.notificationDepth
    context.pointee.scope.notificationDepth = max(outer, start.depth)
    context.pointee.seen.notifying &+= 1
    start.call.takeRetainedValue()(here)
    context.pointee.seen.notifying &-= 1
    context.pointee.scope.notificationDepth = outer
  }
}

/// Makes a call: immediately or, while this thread computes a value, when the outermost computation is over, and the transaction or
/// the propagation in which that takes place.
///
/// For all that begins by itself where it is made. In a computation it could not write, and could run again with each computation.
package func afterComputation(
  isolation: isolated (any Actor)?, _ body: @escaping (_ isolation: isolated (any Actor)?) -> Void
) {
  if CausalFrame.isInComputation { Context.start(isolation, plain(body)) } else { body(isolation) }
}
