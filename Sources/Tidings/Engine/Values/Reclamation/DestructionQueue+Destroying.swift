extension DeferredDestruction {
  /// Performs the deferred destructions in order, once the thread is not pinned, and then those that they add. They are not part of
  /// a transaction.
  static func destroyAll(_ context: ContextPointer) {
    guard !context.pointee.destruction.deferred.isEmpty else { return }
    let (paused, outer) = (Transaction.pause(), context.pointee.scope.notificationDepth)
    defer {
      context.pointee.scope.notificationDepth = outer
      if let paused { Transaction.resume(paused) }
    }
    var index = 0
    while index < context.pointee.destruction.deferred.count {
      let next = context.pointee.destruction.deferred[index]
      index += 1
      if index == context.pointee.destruction.deferred.count {
        context.pointee.destruction.deferred.removeAll()
        index = 0
      } else if index == 1 << 12 {
        context.pointee.destruction.deferred.remove(from: 0, to: index)
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
        context.pointee.memory.giveBack(block: UnsafeMutableRawPointer(version))
      } else {
        UnsafeMutableRawPointer(version).deallocate()
      }
    }
    body.release()
  }
}
