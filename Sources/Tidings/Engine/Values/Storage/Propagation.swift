import Synchronization

/// Numbers propagations. A propagation is a write that no handler causes, with all that it causes on any thread.
///
/// Nothing asks for a number unless a source has a recorder. The number ends with the outermost notification of the thread. It is
/// carried with each value that another thread or task handles.
package enum Propagation {
  private static let last = Atomic<UInt>(0)
  package static func newNumber() -> UInt { last.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The number of the propagation that this thread is in. Begins one where there is none.
  static func number(_ context: ContextPointer) -> UInt {
    if context.pointee.scope.propagation == 0 {
      let inherited = inherited(context)
      context.pointee.scope.propagation = inherited != 0 ? inherited : newNumber()
      // The outermost notification of the thread, or the end of its transaction, then drains, which ends the propagation.
      context.pointee.notifications.repeats += 1
    }
    return context.pointee.scope.propagation
  }
  /// The number that the call under way has brought, if the call came through a queue; else 0.
  private static func inherited(_ context: ContextPointer) -> UInt {
    let carried = context.pointee.scope.carriedPropagation
    return carried != 0 ? carried : PropagationOfCall.current
  }

  /// Whether what this thread writes now is part of a propagation under way.
  package static var isUnderWay: Bool { carried != 0 }
  /// The number to be carried with a value that is queued now; 0 if what has emitted it is no part of a propagation.
  private static var carried: UInt {
    guard let context = Context.currentIfAny else { return PropagationOfCall.current }
    let isBegun =
      context.pointee.scope.propagation != 0 || context.pointee.seen.notifying != 0
      || context.pointee.seen.isInTransaction
    return isBegun ? number(context) : inherited(context)
  }

  package static var isInTransaction: Bool { Context.currentIfAny?.pointee.seen.isInTransaction ?? false }
  /// The number of this thread's transaction, and of the propagation that it is part of or begins.
  package static var ofTransaction: (transaction: UInt32, propagation: UInt) {
    (Transaction.number, number(Context.current))
  }

  /// Runs `body` as part of a propagation.
  package static func with<R, E: Error>(_ number: UInt, _ body: () throws(E) -> R) throws(E) -> R {
    let context = Context.current
    return try keepingOuter(context) { () throws(E) -> R in
      (context.pointee.scope.propagation, context.pointee.scope.carriedPropagation) = (0, number)
      return try body()
    }
  }
  /// Runs `body`, whose outermost notification ends its propagation, and then goes on with the propagation that this thread is in.
  static func keepingOuter<R, E: Error>(_ context: ContextPointer, _ body: () throws(E) -> R) throws(E) -> R {
    let outer = (context.pointee.scope.propagation, context.pointee.scope.carriedPropagation)
    defer {
      (context.pointee.scope.propagation, context.pointee.scope.carriedPropagation) = outer
      // The body may have drained, and the outer propagation is still to be ended.
      if outer.0 != 0, context.pointee.notifications.repeats == 0 { context.pointee.notifications.repeats = 1 }
    }
    return try body()
  }

  /// From the first recorder on, each value that is queued carries the number.
  static func startCarrying() { _ = carrying }
  private static let carrying: Void = {
    isCarrying.store(true, ordering: .relaxed)
    CarriedLocals.carry {
      let number = carried
      return { body in with(number, body) }
    }
  }()
  private static let isCarrying = Atomic(false)

  /// In a notification: begins to number its propagation, for code that does not know that it is part of one.
  static func numberIfRecorded(_ context: ContextPointer) {
    if isCarrying.load(ordering: .relaxed) { _ = number(context) }
  }
}
