/// Propagates a task-local value with what is emitted, to handlers that another thread or task calls.
///
/// ```swift
/// carry(ServiceContext.$current)  // once, when the program starts
/// ```
///
/// A handler that the emitter calls in place always sees the emitter's task-local values. Another thread or task calls the
/// handler if the value passes through the queue of the handler's actor or delivery target, or if another thread was
/// delivering the event. Such a call sees the carried task-locals as they were where the value was emitted. It sees the
/// default value of all others, never that of another emitter. A stream's consumer sees its own task-locals.
///
/// A value that is delivered in place costs nothing more. A queued value costs an object and one binding for each carried
/// task-local. A task-local cannot be un-carried.
///
/// - Parameter local: The projected value of a `@TaskLocal` property.
@_alwaysEmitIntoClient
public func carry<Value: Sendable>(_ local: TaskLocal<Value>) {
  CarriedLocals.carry {
    let value = local.get()
    return { body in local.withValue(value, operation: body) }
  }
}
