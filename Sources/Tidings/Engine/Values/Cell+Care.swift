import Synchronization

extension Cell {
  private var policy: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)? {
    node.pointee.body._withUnsafeGuaranteedRef { $0.values.areEqual }
  }

  /// The value and its version, as committed. For sources.
  func committed() -> (value: Value, version: UInt) {
    graph.withLock { _ in
      let newest = node.pointee.latest.unsafelyUnwrapped
      return (Self.value(newest).pointee, newest.pointee.version)
    }
  }

  /// In a transaction, in a computation, with a policy, or with somebody to be told before.
  @usableFromInline @inline(never)
  func setWithCare(_ new: Value, _ here: (any Actor)?, _ owner: AnyObject) {
    let context = Context.current
    if refuses("set") { return }
    if let journal = context.pointee.journal {
      let record = context.pointee.takeRecord(for: node)
      Self.value(record).initialize(to: new)
      return journal.write(to: node, of: owner).set(record, journal, context)
    }
    var isFirst = true
    while true {
      let base = committed()
      if let policy, areEquivalent(base.value, new, policy) {
        // A `willChange` handler of the first attempt may have left notifications.
        if committed().version == base.version { return Context.drain(context, here) }
        continue
      }
      if replace(base, with: new, isBound: policy != nil, announcing: isFirst, context, here) { return }
      isFirst = false
    }
  }

  @usableFromInline @inline(never)
  func update<R, E: Error>(
    _ body: @escaping (inout Value) throws(E) -> R, _ here: (any Actor)?, _ owner: AnyObject
  ) throws(E) -> R {
    let context = Context.current
    if let journal = context.pointee.journal, !Frame.isInComputation {
      return try update(body, journal, owner, context)
    }
    let isRefused = refuses("updated")
    var isFirst = true
    while true {
      let base = isRefused ? (value: self.value, version: 0) : committed()
      var value = base.value
      let result = try body(&value)
      if isRefused { return result }
      if let policy, areEquivalent(base.value, value, policy) {
        if committed().version == base.version {
          Context.drain(context, here)
          return result
        }
        continue
      }
      if replace(base, with: value, isBound: true, announcing: isFirst, context, here) { return result }
      isFirst = false
    }
  }

  private func update<R, E: Error>(
    _ body: @escaping (inout Value) throws(E) -> R, _ journal: Journal, _ owner: AnyObject, _ context: ContextPointer
  ) throws(E) -> R {
    var value: Value
    var base: UInt = 0
    if let own = journal.write(of: node) {
      value = own.place.assumingMemoryBound(to: Value.self).pointee
    } else {
      (value, base) = committed()
    }
    let result = try body(&value)
    let record = context.pointee.takeRecord(for: node)
    Self.value(record).initialize(to: value)
    journal.write(to: node, of: owner).update(record, base, journal, context) { place throws in
      _ = try body(&place.assumingMemoryBound(to: Value.self).pointee)
    }
    return result
  }

  /// False if somebody wrote meanwhile and that matters. Announced before only at the first attempt: who sets the value
  /// when it hears that it will change would be asked for ever.
  private func replace(
    _ base: (value: Value, version: UInt), with new: Value, isBound: Bool, announcing: Bool, _ context: ContextPointer,
    _ here: (any Actor)?
  ) -> Bool {
    let fresh = newRecord(of: node, context)
    Self.value(fresh).initialize(to: new)
    let delivery = node.pointee.isCautious.load(ordering: .relaxed) ? knownDelivery : nil
    let before = delivery?.heardBefore
    // Once the delivery is ours nobody tells of another change before this one.
    // A change that is sure to be rejected as a cycle is not announced: each of its neighbours would be reported as well.
    let isClaimed =
      announcing && before != nil && !Context.isTooNested
      && Frame.steps(Frame.causalDepth(context)) <= delivery!.queuedLimit && delivery!.claim() != nil
    let passage = Passage(here: here, ticket: nil)
    if isClaimed {
      // Nested like any other notification.
      context.pointee.telling &+= 1
      before!.emit(Change<Value>(old: base.value, new: new), passage)
      context.pointee.telling &-= 1
    }
    let commit = graph.withLock { graph in
      graph.commit(
        fresh, to: node, expecting: isBound || isClaimed ? base.version : nil,
        depth: Frame.causalDepth(context), isClaimed: isClaimed, context)
    }
    if isClaimed, commit.outcome != .done { delivery!.giveUp(passage) }
    if !isClaimed, commit.claim != nil, let old = commit.old {
      // From a handler of the same value, or while another thread delivered: just before the change.
      before?.emit(Change<Value>(old: Self.value(old).pointee, new: new), passage)
    }
    finish(commit, new, fresh, context, here)
    return commit.outcome != .moved
  }

  func areEquivalent(
    _ old: Value, _ new: Value, _ policy: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool
  ) -> Bool {
    var (old, new) = (old, new)
    return withUnsafeMutablePointer(to: &old) { old in
      withUnsafeMutablePointer(to: &new) { new in policy(UnsafeMutableRawPointer(old), UnsafeMutableRawPointer(new)) }
    }
  }

  /// A closure that computes a value may not change one.
  private func refuses(_ verb: String) -> Bool {
    if !Frame.isInComputation { return false }
    node.pointee.body._withUnsafeGuaranteedRef { $0.refuse(verb) }
    return true
  }

  // MARK: Handlers

  var knownDelivery: ValueDelivery<Value>? {
    graph.withLock { _ in node.pointee.list?.takeUnretainedValue() }.map {
      unsafeDowncast($0, to: ValueDelivery<Value>.self)
    }
  }
  func makeDelivery() -> ValueDelivery<Value> {
    if let known = knownDelivery { return known }
    let new = ValueDelivery<Value>(node)
    let known = graph.withLock { _ -> HandlerList in
      if let known = node.pointee.list {
        // Another thread was faster. This one's end must not look like the last handler's.
        new.leave()
        return known.takeUnretainedValue()
      }
      node.pointee.list = .passRetained(new)
      return new
    }
    return unsafeDowncast(known, to: ValueDelivery<Value>.self)
  }
}
