// Validation goes from a value that is wanted up to the values that must be computed first. It uses one work list and no recursion.
// Only first reads recurse, because they go through the closures.
extension Graph {
  /// Finds the next step towards the value of a node at the pinned snapshot.
  @inline(__always)
  mutating func find(_ node: NodePointer, _ context: ContextPointer, base: Int) -> ValidationStep {
    if isUpToDate(context), let first = linksIfUnknown(node) {
      // In most cases the first dependency has changed. bench: wide 1-1000, −9 % instructions
      if !first.pointee.dep.pointee.has(Node.stale), isChanged(first) { return start(node) }
      return validate(from: node, first, context, to: base)
    }
    if number(node, context) != nil { return .none }
    guard canValidate(node, context, base: base) else { return start(node) }
    return validate(from: node, node.pointee.deps, context, to: base)
  }

  /// Continues after a step.
  @inline(__always)
  mutating func resume(_ context: ContextPointer, to base: Int) -> ValidationStep {
    switch back(context, base) {
    case .at(let node, let link): validate(from: node, link, context, to: base)
    case .step(let step): step
    }
  }

  /// Checks the dependencies of a node one after the other. If all of them have the versions that were consumed, the node need not
  /// be computed.
  @inline(never)
  private mutating func validate(
    from first: NodePointer, _ firstLink: LinkPointer?, _ context: ContextPointer, to base: Int
  ) -> ValidationStep {
    var (node, link) = (first, firstLink)
    let isUpToDate = isUpToDate(context)
    while true {
      while let at = link {
        let dep = at.pointee.dep
        // The code after this branch has the same result in the usual case, with twice as many instructions.
        if isUpToDate {
          if !dep.pointee.has(Node.stale) {
            if isChanged(at) { return start(node) }
            link = at.pointee.nextDep
            continue
          }
          if let links = linksIfUnknown(dep) {
            node.pointee.validating &+= 1
            context.pointee.validationStack.push(
              Context.ValidationFrame(node: node, link: at, generation: node.pointee.generation))
            (node, link) = (dep, links)
            continue
          }
        }
        if let number = number(dep, context) {
          if number != at.pointee.number { return start(node) }
          link = at.pointee.nextDep
          continue
        }
        let canValidate = canValidate(dep, context, base: base)
        node.pointee.validating &+= 1
        context.pointee.validationStack.push(
          Context.ValidationFrame(node: node, link: at, generation: node.pointee.generation))
        if !canValidate { return start(dep) }
        node = dep
        link = dep.pointee.deps
      }
      // Other threads may have computed it at a later snapshot meanwhile.
      if node.pointee.latest.unsafelyUnwrapped.pointee.validFrom > context.pointee.seen.snapshot {
        return start(node)
      }
      revalidate(node, context)
      switch back(context, base) {
      case .at(let next, let at): (node, link) = (next, at)
      case .step(let step): return step
      }
    }
  }
  private enum Back {
    case at(NodePointer, LinkPointer?)
    case step(ValidationStep)
  }
  /// The node that waits, and the link at which it waits.
  @inline(__always)
  private mutating func back(_ context: ContextPointer, _ base: Int) -> Back {
    while context.pointee.validationStack.count > base {
      let top = context.pointee.validationStack.pop()
      let node = top.node
      node.pointee.validating &-= 1
      if top.generation == node.pointee.generation { return .at(node, top.link) }
      // Another thread published the node while this one did not hold the lock. The link may be destroyed, or its number may
      // differ.
      if number(node, context) != nil { continue }
      guard canValidate(node, context, base: base) else { return .step(start(node)) }
      return .at(node, node.pointee.deps)
    }
    return .step(.none)
  }

  /// The number of a node's version at the snapshot; nil while the node must be validated.
  @inline(__always)
  func number(_ node: NodePointer, _ context: ContextPointer) -> UInt? {
    if _slowPath(context.pointee.isSpecial) { return numberOfSpecial(node, context) }
    return version(of: node, at: context.pointee.seen.snapshot).map { $0.pointee.number }
  }
  @inline(never)
  private func numberOfSpecial(_ node: NodePointer, _ context: ContextPointer) -> UInt? {
    if let own = context.pointee.overlay[node] { return own.number }
    if context.pointee.isOverlaid {
      if !node.pointee.isSource { return nil }
      if context.pointee.writeLog!.pointee.writes(node) { return Context.ofPin }
    }
    return version(of: node, at: context.pointee.seen.snapshot).map { $0.pointee.number }
  }

  /// Whether the links of a node can decide whether its newest value is right. They cannot if the node was never computed, or if
  /// they do not name all that it read. Nor can they if other threads have computed it at a later snapshot, or if it is already on
  /// the validation stack.
  @inline(__always)
  private func canValidate(_ node: NodePointer, _ context: ContextPointer, base: Int) -> Bool {
    guard let newest = node.pointee.latest, newest.pointee.validFrom <= context.pointee.seen.snapshot,
      !node.pointee.has(Node.retired | Node.incomplete)
    else { return false }
    return node.pointee.validating == 0 || !isOnValidationStack(node, context, base: base)
  }
  @inline(never)
  private func isOnValidationStack(_ node: NodePointer, _ context: ContextPointer, base: Int) -> Bool {
    (base..<context.pointee.validationStack.count).contains { context.pointee.validationStack[$0].node == node }
  }

  @inline(__always)
  func start(_ node: NodePointer) -> ValidationStep {
    if _slowPath(node.pointee.running > 0), CausalFrame.isComputing(node) { return .reportCycle(node) }
    node.pointee.running &+= 1
    return .compute(node)
  }
}
