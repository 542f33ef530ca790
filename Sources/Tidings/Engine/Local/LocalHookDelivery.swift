/// The asking side of a `LocalHook`. Questions nest; each has a number, and a handler is asked those with a higher number than
/// the one after which it was added or resumed.
final class LocalHookDelivery<Input, Output, Failure: Error>: LocalHandlerList {
  typealias Call = (Input) throws(Failure) -> Output?

  override var kind: StaticString { "hook" }

  /// Asks until `step` has enough.
  func ask(_ input: Input, _ step: (Output) -> Bool) throws(Failure) {
    if live == 0 { return }
    if walking != 0 || isStackUsed, Diagnostics.rejectsNesting(of: self, "question") { return }
    walking &+= 1
    emitted &+= 1
    let failure = CausalFrame.push(self) { walk(input, emitted, step) }
    if walking == 1, needsCare { settle() }
    walking &-= 1
    if let failure { throw failure }
  }

  /// After the outermost question, while no handler runs. What a release destroys may ask and cancel in turn: each release is one
  /// deeper, so a cycle of them ends.
  @inline(never)
  private func settle() {
    var depth = CausalFrame.currentDepth + 1
    while hasRemoved {
      depth += 1
      CausalFrame.push(self, depth: depth) { releaseRemoved() }
    }
    needsCare = false
  }

  private func walk(_ input: Input, _ number: Int, _ step: (Output) -> Bool) -> Failure? {
    let count = count
    for index in 0..<count {
      // Read again each time: a handler that adds another may have moved them.
      let entry = entries.unsafelyUnwrapped[index]
      if entry == 0 { continue }
      let slot = unsafeDowncast(
        Self.slot(entry).takeUnretainedValue(), to: LocalHookSlot<Input, Output, Failure>.self)
      guard slot.receives(number) else { continue }
      do throws(Failure) {
        if let answer = try slot.call(input), !step(answer) { break }
      } catch {
        return error
      }
    }
    return nil
  }

  @inline(never)
  func attach(_ call: @escaping Call, _ selfCancellation: LocalSelfCancellation?, _ site: CallSite) -> LocalSubscription
  {
    let subscription = LocalSubscription(self)
    selfCancellation?.subscription = subscription
    add(LocalHookSlot(call, selfCancellation, site: site), for: subscription)
    return subscription
  }
}

private final class LocalHookSlot<Input, Output, Failure: Error>: LocalSlot {
  let call: LocalHookDelivery<Input, Output, Failure>.Call
  private let ownCancellation: LocalSelfCancellation?
  override var selfCancellation: LocalSelfCancellation? { ownCancellation }

  init(
    _ call: @escaping LocalHookDelivery<Input, Output, Failure>.Call, _ selfCancellation: LocalSelfCancellation?,
    site: CallSite
  ) {
    self.call = call
    ownCancellation = selfCancellation
    super.init(owned: selfCancellation != nil, site: site)
  }
}
