extension Cell {
  /// Calls the recorder for each write of the source from now on.
  func record(with recorder: any WriteRecorder, at index: Int) {
    Propagation.startCarrying()
    let recorders = Graph.with(node) { _ in
      makeCautious(node)
      return node.pointee.body._withUnsafeGuaranteedRef { $0.makeRecorders() }
    }
    recorders.add(recorder, at: index)
  }
  func endRecording(with recorder: any WriteRecorder) { knownRecorders(of: node)?.remove(recorder) }

  /// Updates the source in a transaction that its recorders take part in. So what they write, such as a log, always agrees with the
  /// value, on every thread. Outside of another transaction the result is that of the last run, as for any update.
  @inline(never)
  func updateRecording<R, E: Error>(
    _ body: @escaping (inout Value) throws(E) -> R, _ recorders: Recorders, _ here: (any Actor)?, _ owner: AnyObject,
    _ context: ContextPointer
  ) throws(E) -> R {
    let savepoint = Transaction.begin()
    let writeLog = context.pointee.writeLog.unsafelyUnwrapped
    let isFirst = writeLog.pointee.write(of: node) == nil
    let (transaction, propagation) = (writeLog.pointee.number, Propagation.number(context))
    var result: R?
    do throws(E) {
      try update(
        { value throws(E) in
          let old = value
          result = try body(&value)
          recorders.record(old, value, isFirst: isFirst, in: transaction, of: propagation)
        }, writeLog, owner, context)
    } catch {
      Transaction.end(undoingTo: savepoint)
      throw error
    }
    if let error = Transaction.end(here, { $0 is E }), let error = error as? E { throw error }
    return result.unsafelyUnwrapped
  }
}
