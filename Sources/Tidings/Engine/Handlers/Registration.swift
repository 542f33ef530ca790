import Synchronization

/// A token's registration with a list: which list, which slot, which place. Stored in the `Subscription`.
struct Registration: ~Copyable, Sendable {
  let list: HandlerList
  /// The entry while the handler is live; afterwards 0, or its endpoint (retained) with the tag `left`.
  ///
  /// Ends once and never becomes live again. Written under the list's lock, as are the others.
  let state: Atomic<UInt>
  static let left: UInt = 2
  /// The place in the table; below 0 while the handler is pending: then it encodes its number among the pending activations.
  let place = Atomic<Int32>(-1)
  private let flags: Atomic<UInt32>
  #if DEBUG
  let site: CallSite
  #endif

  /// The list keeps the token: it may be dropped without cancelling.
  private static let owned: UInt32 = 1
  private static let paused: UInt32 = 2
  private static let resumption: UInt32 = 4

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
    if bits & Self.left != 0, let endpoint = Self.endpoint(bits) { Destruction.release(endpoint) }
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
  var isPending: Bool { place.load(ordering: .relaxed) < -1 || flags.load(ordering: .relaxed) >= Self.resumption }
  /// Owned, paused, or waiting to be resumed.
  var isFlagged: Bool { flags.load(ordering: .relaxed) != 0 }
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
    let place = place.load(ordering: .relaxed)
    return place < -1 ? UInt32(-2 - Int(place)) : nil
  }
  func setActivation(_ number: PendingActivations.Number) { place.store(Int32(-2 - Int(number)), ordering: .relaxed) }

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
