import Synchronization

extension Cell {
  /// Sets the value with one commit, outside transactions and computations, if there is no policy.
  /// bench: set with 1 handler, −87 % instructions
  @_alwaysEmitIntoClient @inline(__always)
  func set(_ new: Value, _ here: (any Actor)?, _ owner: AnyObject) {
    let context = Context.current
    if !takesFastPaths || node.pointee.isCautious.load(ordering: .relaxed) || context.pointee.seen.snapshot != 0
      || context.pointee.seen.needsCare
    {
      return setElsewhere(new, here, owner)
    }
    let fresh = Self.words != 0 ? context.pointee.scratch : newVersion(of: node, context)
    Self.value(fresh).initialize(to: new)
    let commit = commitNow(fresh, to: node, context, here)
    finish(commit, new, fresh, context, here)
  }

  /// Makes the first attempt of an update of a plain value, without a lock around the read. It is inlined where the type is known:
  /// in unspecialised code an update took five times as long. All other updates, and those that another thread overtakes, take the
  /// careful path.
  /// bench: cores: update, −87 % instructions
  @_alwaysEmitIntoClient @inline(__always)
  func update<R, E: Error>(
    _ body: @escaping (inout Value) throws(E) -> R, _ here: (any Actor)?, _ owner: AnyObject
  ) throws(E) -> R {
    let context = Context.current
    guard takesFastPaths, Self.words != 0, !node.pointee.isCautious.load(ordering: .relaxed),
      context.pointee.seen.snapshot == 0,
      !context.pointee.seen.needsCare, let (old, number) = atHome({ ($0, $1.pointee.number) })
    else { return try updateWithCare(body, here, owner, isAgain: false) }
    var new = old
    let result = try body(&new)
    let fresh = context.pointee.scratch
    Self.value(fresh).initialize(to: new)
    let commit = commitUpdate(fresh, to: node, of: number, context)
    if commit.hasMoved { return try updateWithCare(body, here, owner, isAgain: true) }
    finish(commit, new, fresh, context, here)
    return result
  }
}
