/// The handlers of one `LocalEvent`: everything in one isolation, so there is no lock and no atomic, and places do not move
/// while values are delivered.
///
/// Emissions are numbered. A handler receives the values whose number is higher than the one after which it was added or
/// resumed; that one comparison replaces the flags, older tables and pending activations of the shared engine.
///
/// A *retired* handler has ended for its token and for every value to come, yet is still called with those that are being
/// delivered. It keeps its place until no delivery is left that may call it.
package class LocalHandlerList: CausalSource {
  final let policy: DeliveryPolicy
  @exclusivity(unchecked) final var entries: UnsafeMutablePointer<UInt>?
  @exclusivity(unchecked) final var count: Int
  @exclusivity(unchecked) final var live: Int
  /// The number of values emitted so far; while values are queued, the last ones are those.
  @exclusivity(unchecked) final var emitted: Int
  /// Deliveries on the stack: 0 or 1 when serial.
  @exclusivity(unchecked) final var walking: Int
  @exclusivity(unchecked) private final var capacity: Int
  @exclusivity(unchecked) private final var removedSlots: [Unmanaged<LocalSlot>]
  /// No value and no handler is accepted any more.
  @exclusivity(unchecked) final var isFinished: Bool
  @exclusivity(unchecked) private final var hasReportedFinish: Bool
  /// Something is left to do when the outermost delivery ends.
  @exclusivity(unchecked) final var needsCare: Bool

  // Initial values are assigned here: beside the declarations each is an exported function.
  init(_ identity: consuming EventIdentity, _ policy: DeliveryPolicy) {
    self.policy = policy
    (count, live, emitted, walking, capacity) = (0, 0, 0, 0, 0)
    (isFinished, hasReportedFinish, needsCare) = (false, false, false)
    removedSlots = []
    super.init(identity)
  }

  deinit {
    clear()
    entries?.deallocate()
  }

  /// Finishes the event: values that wait are still delivered, then all handlers end.
  final func finish() {
    if isFinished { return }
    isFinished = true
    needsCare = true
    if walking == 0 { clear() }
  }
  /// Reports the first value that comes after the end.
  @inline(never)
  final func reportFinished() {
    if !hasReportedFinish { Diagnostics.reportFinishedEmit(of: self) }
    hasReportedFinish = true
  }

  final func add(_ slot: LocalSlot, for subscription: LocalSubscription) {
    if isFinished { return }
    guard count == capacity else { return place(slot, for: subscription) }
    // An event that is never emitted would otherwise collect the handlers of all the objects that ever observed it. Checked
    // when all is in place: the check may release an owner, and the destruction of owners and captures may re-enter here.
    let selfCancellations = selfCancellations
    walking == 0 ? compact(growing: true) : grow(to: max(4, capacity * 2))
    place(slot, for: subscription)
    for selfCancellation in selfCancellations where selfCancellation.isOrphaned { selfCancellation.cancel() }
  }

  private final func place(_ slot: LocalSlot, for subscription: LocalSubscription) {
    slot.subscription = .passUnretained(subscription)
    slot.after = emitted
    slot.place = count
    subscription.registration.slot = .passUnretained(slot)
    if slot.isOwned { _ = Unmanaged.passRetained(subscription) }
    entries![count] = UInt(bitPattern: Unmanaged.passRetained(slot).toOpaque())
    count += 1
    live += 1
  }

  /// The self-cancellations of the handlers whose owner may have been deinitialized.
  private final var selfCancellations: [LocalSelfCancellation] {
    var selfCancellations: [LocalSelfCancellation] = []
    for index in 0..<count where entries![index] != 0 {
      Self.slot(entries![index])._withUnsafeGuaranteedRef {
        $0.selfCancellation.map { selfCancellations.appendUnspecialized($0) }
      }
    }
    return selfCancellations
  }

  private final func grow(to newCapacity: Int) {
    let new = UnsafeMutablePointer<UInt>.allocate(capacity: newCapacity)
    if let entries { new.update(from: entries, count: count) }
    entries?.deallocate()
    (entries, capacity) = (new, newCapacity)
  }

  /// While nothing is delivered: closes the gaps, and grows the capacity if asked for.
  @inline(never)
  private final func compact(growing: Bool) {
    let newCapacity = max(4, live * 2)
    let new = UnsafeMutablePointer<UInt>.allocate(capacity: newCapacity)
    var kept = 0
    for index in 0..<count where entries![index] != 0 {
      Self.slot(entries![index])._withUnsafeGuaranteedRef { $0.place = kept }
      new[kept] = entries![index]
      kept += 1
    }
    entries?.deallocate()
    (entries, capacity, count) = (new, newCapacity, kept)
  }

  @inline(__always)
  static func slot(_ entry: UInt) -> Unmanaged<LocalSlot> { .fromOpaque(UnsafeRawPointer(bitPattern: entry)!) }

  final func remove(_ slot: Unmanaged<LocalSlot>) {
    let token = slot._withUnsafeGuaranteedRef { unlink($0) }
    if walking == 0 {
      tidy()
      Destruction.release(slot)
    } else {
      leave(slot)
    }
    if let token { Destruction.release(token) }
  }

  /// Ends the handler for the values after the last that has begun. One that receives nothing now ends altogether.
  final func retire(_ slot: Unmanaged<LocalSlot>) {
    if walking == 0 || slot._withUnsafeGuaranteedRef({ $0.after }) == LocalSlot.never { return remove(slot) }
    let token = slot._withUnsafeGuaranteedRef { slot in
      slot.retire(after: emitted &- waiting)
      return detach(slot)
    }
    leave(slot)
    if let token { Destruction.release(token) }
  }
  /// To the end of the delivery under way.
  private final func leave(_ slot: Unmanaged<LocalSlot>) {
    removedSlots.append(slot)
    needsCare = true
  }

  /// Values that have a number and have not begun.
  var waiting: Int { 0 }

  /// Blanks the place; gives back a token that the list kept.
  private final func unlink(_ slot: LocalSlot) -> Unmanaged<LocalSubscription>? {
    entries![slot.place] = 0
    return detach(slot)
  }

  private final func detach(_ slot: LocalSlot) -> Unmanaged<LocalSubscription>? {
    let token = slot.subscription!
    token._withUnsafeGuaranteedRef { $0.registration.slot = nil }
    slot.subscription = nil
    live -= 1
    return slot.isOwned ? token : nil
  }

  private final func tidy() {
    while count > 0, entries![count - 1] == 0 { count -= 1 }
    if count > 16, live * 2 < count { compact(growing: false) }
  }

  final func clear() {
    var tokens: [Unmanaged<LocalSubscription>] = []
    for index in 0..<count where entries![index] != 0 {
      let slot = Self.slot(entries![index])
      if slot._withUnsafeGuaranteedRef({ $0.isRetired }) {
        entries![index] = 0  // removed already
        continue
      }
      leave(slot)
      if let token = slot._withUnsafeGuaranteedRef({ unlink($0) }) { tokens.appendUnspecialized(token) }
    }
    if walking == 0, hasRemoved {
      needsCare = false
      releaseRemoved()
    }
    for token in tokens { Destruction.release(token) }
  }

  final var hasRemoved: Bool { !removedSlots.isEmpty }
  /// While no handler runs: releases what was cancelled.
  @inline(never)
  final func releaseRemoved() {
    let slots = removedSlots
    removedSlots = []
    // A retired handler still has its place; that of any other is blank, and no handler takes it while values are delivered.
    for slot in slots { slot._withUnsafeGuaranteedRef { entries![$0.place] = 0 } }
    tidy()
    for slot in slots { Destruction.release(slot) }
  }

  final var diagnostics: Diagnostics {
    var sites: [Diagnostics.Site] = []
    for index in 0..<count where entries![index] != 0 {
      Self.slot(entries![index])._withUnsafeGuaranteedRef {
        if !$0.isRetired { sites.appendUnspecialized($0.diagnostics) }
      }
    }
    return Diagnostics(of: self, waiting: waiting, subscriptions: sites)
  }
}

/// The link from a token to its handler.
struct LocalRegistration {
  /// Retained by the event; nil once the subscription has ended.
  var slot: Unmanaged<LocalSlot>?

  var isPaused: Bool { slot?._withUnsafeGuaranteedRef { $0.after == LocalSlot.never } ?? false }
  func receive(after number: Int) { slot?._withUnsafeGuaranteedRef { $0.after = number } }
}

/// The slot that a `LocalEvent` owns for one handler.
class LocalSlot {
  @exclusivity(unchecked) final var subscription: Unmanaged<LocalSubscription>?
  @exclusivity(unchecked) final var place = 0
  /// Receives values with a higher number.
  @exclusivity(unchecked) final var after = 0
  /// Once retired, receives values up to this number; 0 before.
  @exclusivity(unchecked) private final var until = 0
  final let isOwned: Bool
  #if DEBUG
  final let site: CallSite
  #endif
  static let never = Int.max
  /// Added to `after` when retired: so the plain comparison skips the handler, and only a skipped one pays for the second
  /// comparison. No event reaches that many values.
  private static let leave = 1 << (Int.bitWidth - 2)

  /// How the handler ends itself, if it can.
  var selfCancellation: LocalSelfCancellation? { nil }

  init(owned: Bool, site: CallSite) {
    isOwned = owned
    #if DEBUG
    self.site = site
    #endif
  }

  final var isRetired: Bool { subscription == nil }
  final func retire(after last: Int) {
    until = last
    after &+= Self.leave
  }
  @inline(__always)
  final func receives(_ number: Int) -> Bool {
    after < number || (number <= until && after &- Self.leave < number)
  }

  final var diagnostics: Diagnostics.Site {
    #if DEBUG
    Diagnostics.Site(file: "\(site.file)", line: site.line, isPaused: after == Self.never, queued: 0)
    #else
    Diagnostics.Site(file: nil, line: nil, isPaused: after == Self.never, queued: 0)
    #endif
  }
}

class LocalHandlerSlot<Payload>: LocalSlot {
  final let call: (Payload) -> Void
  required init(_ call: @escaping (Payload) -> Void, owned: Bool, site: CallSite) {
    self.call = call
    super.init(owned: owned, site: site)
  }
}

/// The same for a handler that can end itself. A slot of its own, so that the plain one is no larger for it.
final class LocalSelfCancellingSlot<Payload>: LocalHandlerSlot<Payload> {
  private let ownCancellation: LocalSelfCancellation
  init(_ call: @escaping (Payload) -> Void, _ selfCancellation: LocalSelfCancellation, site: CallSite) {
    ownCancellation = selfCancellation
    super.init(call, owned: true, site: site)
  }
  required init(_ call: @escaping (Payload) -> Void, owned: Bool, site: CallSite) {
    fatalError("a handler that cancels itself is made with its self-cancellation")
  }
  override var selfCancellation: LocalSelfCancellation? { ownCancellation }
}
