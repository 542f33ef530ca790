/// The asking side of a `LocalHook`. Questions nest; each has a number, and a handler is asked those with a higher number than
/// the one after which it was added or resumed.
final class LocalHookDelivery<Input, Output, Failure: Error>: LocalHandlerList {
  typealias Call = (Input) throws(Failure) -> Output?

  override var noun: String { "hook" }

  /// Asks until `step` has enough.
  func ask(_ input: Input, _ step: (Output) -> Bool) throws(Failure) {
    if live == 0 { return }
    if walking != 0, rejectsNesting("question") { return }
    walking &+= 1
    emitted &+= 1
    let failure = CausalFrame.push(self) { walk(input, emitted, step) }
    walking &-= 1
    if walking == 0 { settle() }
    if let failure { throw failure }
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
  func attach(_ call: @escaping Call, _ ending: LocalSelfCancellation?, _ site: CallSite) -> LocalSubscription {
    let subscription = LocalSubscription(self)
    ending?.subscription = subscription
    add(LocalHookSlot(call, ending, site: site), for: subscription)
    return subscription
  }
}

private final class LocalHookSlot<Input, Output, Failure: Error>: LocalSlot {
  let call: LocalHookDelivery<Input, Output, Failure>.Call
  private let ownEnding: LocalSelfCancellation?
  override var ending: LocalSelfCancellation? { ownEnding }

  init(
    _ call: @escaping LocalHookDelivery<Input, Output, Failure>.Call, _ ending: LocalSelfCancellation?, site: CallSite
  ) {
    self.call = call
    ownEnding = ending
    super.init(owned: ending != nil, site: site)
  }
}
