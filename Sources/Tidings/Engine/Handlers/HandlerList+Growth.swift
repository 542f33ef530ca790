#if DEBUG
import Synchronization

/// Finds handlers that grow by one with each run of the code that adds them.
extension HandlerList {
  /// The places that were reported.
  private static let reported = Lock<[String]>([])

  /// Call before a handler is added at `site`. If a computation or a handler adds it, and two earlier runs have left handlers from
  /// the same place, this is reported, once for each place. Two: the handler of the run before may be about to be replaced.
  ///
  /// Handlers of different owners belong to different objects, and end with them. Runs for different sources are runs of different
  /// code, though a function that both call may add the handlers: that of an operator, for example. `flatMap` is meant to follow one
  /// more source with each value.
  final func checkGrowth(at site: CallSite, _ selfCancellation: SelfCancellation?) {
    if site.isOfFollowedSource { return }
    let (call, source) = (CausalFrame.currentCall, CausalFrame.currentSource)
    let owner = selfCancellation?.ownerAddress
    // A handler that is called once ends by itself.
    if call == 0 || selfCancellation != nil && owner == nil || self === Diagnostics.reports.delivery { return }
    // The last ones: what grows is at the end, and a list may be long.
    let others = state.withLock { state in
      lastEntries(state).map { entry in
        Self.registration(of: entry) {
          ($0.site, $0.madeIn, $0.madeBy, Self.slot(of: entry)._withUnsafeGuaranteedRef { $0.selfCancellation })
        }
      }
    }
    var (earlier, isGrowing) = (0 as UInt, false)
    for (place, run, by, other) in others where run != 0 && run != call && by == source && other?.ownerAddress == owner
    {
      guard place.line == site.line, place.file.utf8Start == site.file.utf8Start else { continue }
      if earlier != 0, run != earlier { isGrowing = true }
      earlier = run
    }
    if isGrowing { report(site) }
  }

  /// Under the lock: the entries among the last places of the list, in their order.
  private final func lastEntries(_ state: borrowing State) -> [UInt] {
    var entries: [UInt] = []
    if let table = current {
      for index in max(0, table.count - 64)..<table.count where table[index] != Table.blank {
        entries.append(table[index])
      }
    }
    for slot in state.serial.activations.lastNewSlots {
      slot._withUnsafeGuaranteedRef { slot in
        slot.subscription?._withUnsafeGuaranteedRef {
          entries.append($0.registration.state.load(ordering: .relaxed))
        }
      }
    }
    return entries
  }

  private final func report(_ site: CallSite) {
    let place = site.file.description + ":" + site.line.description
    let isKnown = Self.reported.withLock { reported in
      defer { if !reported.contains(place) { reported.append(place) } }
      return reported.contains(place)
    }
    if isKnown { return }
    Diagnostics.reportGrowth(of: self, at: place)
  }
}
#endif
