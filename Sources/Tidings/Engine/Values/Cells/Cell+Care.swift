import Synchronization

extension Cell {
  var policy: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)? {
    node.pointee.body._withUnsafeGuaranteedRef { $0.values.areEqual }
  }

  /// The value and its version, as committed. For sources.
  func committed() -> (value: Value, number: UInt) {
    let graph = Graph.take(of: node)
    defer { Graph.giveBack(graph, of: node) }
    let newest = node.pointee.latest.unsafelyUnwrapped
    return (Self.value(newest).pointee, newest.pointee.number)
  }

  /// Sets the value in a computation or a transaction, with a policy or handlers of `willChange`, with replicas, or in the turn of
  /// a writer.
  @usableFromInline @inline(never)
  func setWithCare(_ new: Value, _ here: (any Actor)?, _ owner: AnyObject) {
    let context = Context.current
    if rejects("set") { return }
    if let recorders = knownRecorders(of: node) {
      return updateRecording({ $0 = new }, recorders, here, owner, context)
    }
    if context.pointee.seen.isInTransaction { return setElsewhere(new, here, owner) }
    var attempts = Attempts()
    while true {
      WriterTurn.wait(for: node, context)
      let base = committed()
      if let policy, areEquivalent(base.value, new, policy) {
        if committed().number == base.number { return endWithoutChange(context, here) }
      } else if replace(base, with: new, isBound: policy != nil, notifyingBefore: !attempts.isAgain, context, here) {
        return
      }
      _ = attempts.fail([node], isWrittenInside: false, context)
    }
  }
  /// A `willChange` handler of the first attempt may have left notifications.
  private func endWithoutChange(_ context: ContextPointer, _ here: (any Actor)?) {
    WriterTurn.end(context)
    Context.drain(context, here)
  }

  /// - Parameter isAgain: A first attempt has been overtaken.
  @usableFromInline @inline(never)
  func updateWithCare<R, E: Error>(
    _ body: @escaping (inout Value) throws(E) -> R, _ here: (any Actor)?, _ owner: AnyObject, isAgain: Bool
  ) throws(E) -> R {
    let context = Context.current
    if let recorders = knownRecorders(of: node), !CausalFrame.isInComputation {
      return try updateRecording(body, recorders, here, owner, context)
    }
    if let writeLog = context.pointee.writeLog, !CausalFrame.isInComputation {
      return try update(body, writeLog, owner, context)
    }
    if rejects("updated") {
      var value = value
      return try body(&value)
    }
    var attempts = Attempts()
    if isAgain { _ = attempts.fail([node], isWrittenInside: false, context) }
    while true {
      WriterTurn.wait(for: node, context)
      let base = committed()
      var (value, isWrittenInside) = (base.value, false)
      let result: R
      do throws(E) {
        result =
          attempts.isAgain
          ? try Propagation.keepingOuter(context) { () throws(E) -> R in
            try run(body, on: &value, &isWrittenInside, context)
          } : try body(&value)
      } catch {
        endWithoutChange(context, here)
        throw error
      }
      if let policy, areEquivalent(base.value, value, policy) {
        if committed().number == base.number {
          endWithoutChange(context, here)
          return result
        }
      } else if replace(base, with: value, isBound: true, notifyingBefore: !attempts.isAgain, context, here) {
        return result
      }
      if !attempts.fail([node], isWrittenInside: isWrittenInside, context) {
        endWithoutChange(context, here)
        node.pointee.body._withUnsafeGuaranteedRef { Diagnostics.reportUpdate(of: $0) }
        return result
      }
    }
  }
  /// Runs the closure again, and finds out whether it writes the value itself.
  private func run<R, E: Error>(
    _ body: (inout Value) throws(E) -> R, on value: inout Value, _ isWrittenInside: inout Bool,
    _ context: ContextPointer
  ) throws(E) -> R {
    context.pointee.beginUpdate(node)
    defer { isWrittenInside = context.pointee.endUpdate() }
    return try body(&value)
  }

  func update<R, E: Error>(
    _ body: @escaping (inout Value) throws(E) -> R, _ writeLog: WriteLogPointer, _ owner: AnyObject,
    _ context: ContextPointer
  ) throws(E) -> R {
    var value: Value
    var base: UInt = 0
    if let own = writeLog.pointee.write(of: node) {
      value = own.place.assumingMemoryBound(to: Value.self).pointee
    } else {
      (value, base) = committed()
    }
    let result = try body(&value)
    let version = context.pointee.memory.takeVersion(for: node)
    Self.value(version).initialize(to: value)
    writeLog.pointee.write(to: node, of: owner).update(version, base, writeLog, context) { place throws in
      _ = try body(&place.assumingMemoryBound(to: Value.self).pointee)
    }
    return result
  }

  /// Commits a new value. False if another thread wrote meanwhile and that matters. Only the first attempt notifies the handlers of
  /// `willChange` before the change: a handler that sets the value would otherwise be called for ever.
  private func replace(
    _ base: (value: Value, number: UInt), with new: Value, isBound: Bool, notifyingBefore: Bool,
    _ context: ContextPointer,
    _ here: (any Actor)?
  ) -> Bool {
    let fresh = newVersion(of: node, context)
    Self.value(fresh).initialize(to: new)
    let delivery = node.pointee.isCautious.load(ordering: .relaxed) ? knownDelivery : nil
    let before = delivery?.beforeChange
    // Once this thread has the claim, no other change is delivered before this one. No handler is notified of a change that is sure
    // to be rejected as a cycle: each of its neighbours would be reported as well.
    let isClaimed =
      notifyingBefore && before != nil && !Context.isTooNested
      && CausalFrame.steps(CausalFrame.causalDepth(context)) <= delivery!.identity.queuedLimit
      && delivery!.claim() != nil
    let delivering = DeliveryContext(here: here, counter: nil)
    func notifyBefore(_ old: Value) {
      // The call is nested like any other notification.
      context.pointee.seen.notifying &+= 1
      before?.emit(Change<Value>(old: old, new: new), delivering)
      context.pointee.seen.notifying &-= 1
    }
    if isClaimed { notifyBefore(base.value) }
    let commit = commitLocking(
      fresh, to: node, expecting: isBound || isClaimed ? base.number : nil, depth: CausalFrame.causalDepth(context),
      isClaimed: isClaimed, context)
    if !commit.hasMoved {
      context.pointee.noteWrite(to: node)
      WriterTurn.end(context)
    }
    if isClaimed, !commit.isDone { delivery!.endDelivery(delivering) }
    if !isClaimed, commit.claim != nil, let old = commit.old {
      // From a handler of the same value, or while another thread delivered: just before the change.
      notifyBefore(Self.value(old).pointee)
    }
    if commit.hasMoved {
      // The next attempt is part of the propagation that a handler of `willChange` may have begun.
      Propagation.keepingOuter(context) { finish(commit, new, fresh, context, here) }
    } else {
      finish(commit, new, fresh, context, here)
      if context.pointee.notifications.isPending { Context.drain(context, here) }
    }
    return !commit.hasMoved
  }

  func areEquivalent(
    _ old: Value, _ new: Value, _ policy: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool
  ) -> Bool {
    var (old, new) = (old, new)
    return withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in policy(UnsafeMutableRawPointer(old), UnsafeMutableRawPointer(new)) }
    }
  }

  /// Whether the thread is in a computation, whose closure may not change a value. If so, it reports the write.
  private func rejects(_ verb: String) -> Bool {
    if !CausalFrame.isInComputation { return false }
    node.pointee.body._withUnsafeGuaranteedRef { Diagnostics.reportWrite(to: $0, verb) }
    return true
  }

  // MARK: Handlers

  var knownDelivery: ValueDelivery<Value>? {
    guard let list = knownList(of: node) else { return nil }
    return unsafeDowncast(list, to: ValueDelivery<Value>.self)
  }
  func makeDelivery() -> ValueDelivery<Value> {
    if let known = knownDelivery { return known }
    let new = ValueDelivery<Value>(node)
    let known = Graph.with(node) { graph -> HandlerList in
      if let known = node.pointee.list {
        // Another thread was faster. The end of this unused list must not look like the end of the last handler.
        _ = new.leave()
        return known.takeUnretainedValue()
      }
      new.join(&graph)
      node.pointee.list = .passRetained(new)
      return new
    }
    return unsafeDowncast(known, to: ValueDelivery<Value>.self)
  }
}

private func knownList(of node: NodePointer) -> HandlerList? {
  let graph = Graph.take(of: node)
  defer { Graph.giveBack(graph, of: node) }
  return node.pointee.list?.takeUnretainedValue()
}
