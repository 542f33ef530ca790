// What `print`, a debugger and a test's failure show of the types that are no plain values.

/// `Event<Int> 'market.traded' (2 subscriptions)`
private func described(_ type: Any.Type, _ origin: Origin, _ count: Int) -> String {
  "\(type) '\(origin.name)' (\(count) subscription\(count == 1 ? "" : "s"))"
}

extension Event: CustomStringConvertible {
  /// What reports call this event; nil when it was given no label.
  public var label: String? { delivery.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, delivery, delivery.liveCount) }
}

extension Hook: CustomStringConvertible {
  /// What reports call this hook; nil when it was given no label.
  public var label: String? { list.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, list, list.liveCount) }
}

extension LocalEvent: CustomStringConvertible {
  /// What reports call this event; nil when it was given no label.
  public var label: String? { delivery.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, delivery, delivery.live) }
}

extension LocalHook: CustomStringConvertible {
  /// What reports call this hook; nil when it was given no label.
  public var label: String? { list.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, list, list.live) }
}

extension Subscription: CustomStringConvertible {
  private var state: String {
    registration.isLive ? registration.isPaused ? "paused" : "active" : "ended"
  }
  /// What it is, what it was made on, and whether it is active, paused or ended.
  public var description: String { "Subscription to '\(registration.list.name)' (\(state))" }
}

extension LocalSubscription: CustomStringConvertible {
  private var state: String { slot.map { $0.after == LocalSlot.never ? "paused" : "active" } ?? "ended" }
  /// What it is, what it was made on, and whether it is active, paused or ended.
  public var description: String { "LocalSubscription to '\(list.name)' (\(state))" }
}

extension EventStream: CustomStringConvertible {
  private var source: String { subscription.registration.list.name }
  /// What it is, what it was made of, and how many values wait and were dropped.
  public var description: String {
    "\(Self.self) of '\(source)' (\(core.hub.waiting) waiting, \(droppedCount) dropped)"
  }
}

extension Operated: CustomStringConvertible {
  /// What it is; its source is in closures.
  public var description: String { "\(Self.self)" }
}
