import Synchronization

/// A token's registration with a list: which list, which slot, which place. Stored in the `Subscription`.
struct Registration: ~Copyable, Sendable {
  let list: HandlerList
  /// The entry while the handler is live; afterwards 0, or its endpoint (retained) with the tag `left`.
  ///
  /// Ends once and never becomes live again. Written under the list's lock, as are the others.
  let state: Atomic<UInt>
  static let left: UInt = 2
  /// The place in the table; while the handler is newly added and pending, its number among the pending activations.
  let place = Atomic<Int32>(0)
  private let flags: Atomic<UInt32>
  #if DEBUG
  let site: CallSite
  /// The call of a handler, or the run of a closure, in which it was made; 0 outside of these.
  let madeIn = CausalFrame.currentCall
  /// The source of that handler or closure.
  let madeBy = CausalFrame.currentSource
  #endif

  /// The list keeps the token: it may be dropped without cancelling.
  private static let owned: UInt32 = 1
  private static let paused: UInt32 = 2
  /// Newly added, it waits for queued values to be delivered: it has no place yet.
  private static let added: UInt32 = 4
  /// It is the handler of a hook: its slot is to be sealed.
  private static let answers: UInt32 = 8
  private static let resumption: UInt32 = 16

  init(_ list: HandlerList, site: CallSite) {
    self.list = list
    state = Atomic(0)
    flags = Atomic(0)
    #if DEBUG
    self.site = site
    #endif
  }
  deinit {
    let bits = state.load(ordering: .acquiring)
    if bits & Self.left != 0 { Self.releaseEndpoint(bits) }
  }
  @inline(never)
  private static func releaseEndpoint(_ bits: UInt) {
    if let endpoint = endpoint(bits) { Destruction.release(endpoint) }
  }

  var isLive: Bool {
    let bits = state.load(ordering: .acquiring)
    return bits != 0 && bits & Self.left == 0
  }
  /// When the token is dropped: whether the handler may still be called. One that has ended may have values on their way
  /// through its own queue; if the list retained the token those are delivered, as that token may be dropped.
  var mayReceive: Bool {
    let bits = state.load(ordering: .acquiring)
    return bits != 0 && (bits & Self.left == 0 || !isOwned)
  }
  /// It waits for queued values to be delivered, newly added or resumed.
  var isPending: Bool { !hasPlace || flags.load(ordering: .relaxed) >= Self.resumption }
  /// Whether ending the handler takes more than releasing its slot: it is owned, paused, pending, or that of a hook.
  var isFlagged: Bool { flags.load(ordering: .relaxed) != 0 }
  /// Before the handler is added.
  func setAnswering() { flags.store(Self.answers, ordering: .relaxed) }
  var isOwned: Bool { flags.load(ordering: .relaxed) & Self.owned != 0 }
  /// Under the list's lock, which retains the token for it.
  func setOwned() { flags.store(flags.load(ordering: .relaxed) | Self.owned, ordering: .relaxed) }
  var isPaused: Bool {
    flags.load(ordering: .relaxed) & Self.paused != 0
  }
  func setPaused(_ paused: Bool) {
    let rest = flags.load(ordering: .relaxed) & ~Self.paused
    flags.store(paused ? rest | Self.paused : rest, ordering: .relaxed)
  }
  /// The handler, newly added, waits for queued values to be delivered: its number among the pending activations.
  var activation: PendingActivations.Number? {
    hasPlace ? nil : UInt32(place.load(ordering: .relaxed))
  }
  func setActivation(_ number: PendingActivations.Number) {
    flags.store(flags.load(ordering: .relaxed) | Self.added, ordering: .relaxed)
    place.store(Int32(number), ordering: .relaxed)
  }
  /// The place is to be set next.
  func endActivation() { flags.store(flags.load(ordering: .relaxed) & ~Self.added, ordering: .relaxed) }
  /// Asked of a live handler.
  var hasPlace: Bool { flags.load(ordering: .relaxed) & Self.added == 0 }

  /// The handler, resumed, waits for queued values to be delivered: its number among the pending activations.
  var resumption: PendingActivations.Number? {
    let number = flags.load(ordering: .relaxed) / Self.resumption
    return number == 0 ? nil : number - 1
  }
  func setResumption(_ number: PendingActivations.Number?) {
    let rest = flags.load(ordering: .relaxed) & (Self.resumption - 1)
    flags.store(rest | (number.map { $0 + 1 } ?? 0) * Self.resumption, ordering: .relaxed)
  }

  static func endpoint(_ bits: UInt) -> Unmanaged<Endpoint>? {
    UnsafeRawPointer(bitPattern: bits & ~left).map { .fromOpaque($0) }
  }
}
