/// Makes a task-local value travel with what is emitted, to handlers that another thread or task calls.
///
/// ```swift
/// carry(ServiceContext.$current)  // once, when the program starts
/// ```
///
/// A handler that the emitter calls in place sees the emitter's task-local values in any case. A value may also be left to
/// another thread or task: it goes through the queue of the handler's actor or delivery target, or another thread was
/// delivering the event. Such a call sees the task-locals that are carried as they were where the value was emitted, and of all
/// others their default: never those of another emitter. A stream's consumer sees its own.
///
/// Nothing is paid for it where a value is delivered in place. A value that is queued costs an object and one binding for each
/// task-local that is carried. There is no way to stop carrying one.
///
/// - Parameter local: The projected value of a `@TaskLocal` property.
public func carry<Value: Sendable>(_ local: TaskLocal<Value>) { CarriedLocals.carry(local) }
