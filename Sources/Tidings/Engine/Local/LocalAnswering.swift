/// The asking side of a `LocalHook`. Questions nest; each has a number, and a handler is asked those that have a higher one than
/// that after which it was added or resumed.
final class LocalAnswering<Input, Output, Failure: Error>: LocalHandlerList {
  typealias Call = (Input) throws(Failure) -> Output?

  override var noun: String { "hook" }

  /// Asks until `step` has enough.
  func ask(_ input: Input, _ step: (Output) -> Bool) throws(Failure) {
    if live == 0 { return }
    let depth = Frame.count
    if walking != 0, depth >= nestedLimit { return refuse("question", depth: depth + 1) }
    walking &+= 1
    emitted &+= 1
    let failure = Frame.push(self) { walk(input, emitted, step) }
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
        Self.slot(entry).takeUnretainedValue(), to: LocalAnsweringSlot<Input, Output, Failure>.self)
      guard slot.hears(number) else { continue }
      do throws(Failure) {
        if let answer = try slot.call(input), !step(answer) { break }
      } catch {
        return error
      }
    }
    return nil
  }

  func attach(_ call: @escaping Call, _ ending: LocalEnding?, _ site: CallSite) -> LocalSubscription {
    let subscription = LocalSubscription(self)
    ending?.subscription = subscription
    add(LocalAnsweringSlot(call, ending, site: site), for: subscription)
    return subscription
  }
}

private final class LocalAnsweringSlot<Input, Output, Failure: Error>: LocalSlot {
  let call: LocalAnswering<Input, Output, Failure>.Call
  private let ownEnding: LocalEnding?
  override var ending: LocalEnding? { ownEnding }

  init(_ call: @escaping LocalAnswering<Input, Output, Failure>.Call, _ ending: LocalEnding?, site: CallSite) {
    self.call = call
    ownEnding = ending
    super.init(owned: ending != nil, site: site)
  }
}
