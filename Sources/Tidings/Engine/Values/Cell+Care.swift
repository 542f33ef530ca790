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
  func setWithCare(_ new: Value, _ here: (any Actor)?) {
    let context = Context.current
    if refusesIn(context, "set") { return }
    if let journal = context.pointee.journal { return journal.write(to: self).append(new, journal) }
    while true {
      let base = committed()
      if let policy, areEquivalent(base.value, new, policy) {
        if committed().version == base.version { return }
        continue
      }
      if replace(base, with: new, isBound: policy != nil, context, here) { return }
    }
  }

  @usableFromInline @inline(never)
  func update<R, E: Error>(_ body: @escaping (inout Value) throws(E) -> R, _ here: (any Actor)?) throws(E) -> R {
    let context = Context.current
    if let journal = context.pointee.journal, context.pointee.computing == 0 {
      let write = journal.write(to: self)
      var value: Value
      if let own = write.current { value = own } else { value = write.begin() }
      let result = try body(&value)
      write.append(value, journal, updating: { value throws in _ = try body(&value) })
      return result
    }
    let isRefused = refusesIn(context, "updated")
    while true {
      let base = isRefused ? (value: self.value, version: 0) : committed()
      var value = base.value
      let result = try body(&value)
      if isRefused { return result }
      if let policy, areEquivalent(base.value, value, policy) {
        if committed().version == base.version { return result }
        continue
      }
      if replace(base, with: value, isBound: true, context, here) { return result }
    }
  }

  /// False if another thread wrote meanwhile and that matters.
  private func replace(
    _ base: (value: Value, version: UInt), with new: Value, isBound: Bool, _ context: ContextPointer,
    _ here: (any Actor)?
  ) -> Bool {
    let fresh = newRecord(of: node, context)
    Self.value(fresh).initialize(to: new)
    let delivery = knownDelivery
    let before = delivery?.heardBefore
    // Once the delivery is ours nobody tells of another change before this one.
    let isClaimed = before != nil && delivery!.claim() != nil
    let passage = Passage(here: here, ticket: nil)
    if isClaimed { before!.emit(Change<Value>(old: base.value, new: new), passage) }
    let commit = graph.withLock { graph in
      graph.commit(
        fresh, to: node, expecting: isBound || isClaimed ? base.version : nil, depth: isClaimed ? 0 : Frame.causalDepth,
        isClaimed: isClaimed, context)
    }
    if isClaimed, commit.outcome == .moved { delivery!.giveUp(passage) }
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
  private func refusesIn(_ context: ContextPointer, _ verb: String) -> Bool {
    if context.pointee.computing == 0 { return false }
    node.pointee.body._withUnsafeGuaranteedRef { body in
      Context.untracked(context) {
        Diagnosis.report(
          Diagnosis.Report(
            message: "the \(body.noun) '\(body.name)' was \(verb) by the closure of a derived value, which is refused"
              + " (\((Frame.names + [body.name]).suffix(16).joined(separator: " → ")))",
            labels: Frame.names + [body.name]), about: body)
      }
    }
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
      if let known = node.pointee.list { return known.takeUnretainedValue() }
      node.pointee.list = .passRetained(new)
      return new
    }
    return unsafeDowncast(known, to: ValueDelivery<Value>.self)
  }
}
