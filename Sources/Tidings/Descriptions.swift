// What `print`, `dump`, a debugger and a test's failure show of the types that are no plain values: what it is, its label, how many
// subscribe. The sentences and mirrors are made by functions that know no type: so each type adds little to a client.

extension Event: CustomStringConvertible, CustomReflectable {
  /// What reports call this event; nil when it was given no label.
  public var label: String? { delivery.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  ///
  /// ```swift
  /// print(traded)   // Event<Trade> 'market.traded' (2 subscriptions)
  /// ```
  public var description: String { described(Self.self, delivery, delivery.liveCount) }
  public var customMirror: Mirror { mirrored(self, parts(delivery, delivery.liveCount)) }
}

extension Hook: CustomStringConvertible, CustomReflectable {
  /// What reports call this hook; nil when it was given no label.
  public var label: String? { list.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, list, list.liveCount) }
  public var customMirror: Mirror { mirrored(self, parts(list, list.liveCount)) }
}

extension LocalEvent: CustomStringConvertible, CustomReflectable {
  /// What reports call this event; nil when it was given no label.
  public var label: String? { delivery.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, delivery, delivery.live) }
  public var customMirror: Mirror { mirrored(self, parts(delivery, delivery.live)) }
}

extension LocalHook: CustomStringConvertible, CustomReflectable {
  /// What reports call this hook; nil when it was given no label.
  public var label: String? { list.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, list, list.live) }
  public var customMirror: Mirror { mirrored(self, parts(list, list.live)) }
}

extension PropertyChanges: CustomStringConvertible, CustomReflectable {
  /// What reports call it; nil when it was given no label.
  public var label: String? { versions.cell.origin.label }
  /// What it is, its label or where it was made, and how many subscriptions it has.
  public var description: String { described(Self.self, versions.cell.origin, versions.cell.liveCount) }
  public var customMirror: Mirror { mirrored(self, parts(versions.cell.origin, versions.cell.liveCount)) }
}

extension Subscription: CustomStringConvertible, CustomReflectable {
  private var state: String {
    registration.isLive ? registration.isPaused ? "paused" : "active" : "ended"
  }
  /// What it is, what it was made on, and whether it is active, paused or ended.
  public var description: String { described("Subscription to", registration.list.name, state) }
  public var customMirror: Mirror { mirrored(self, parts(registration.list.name, state)) }
}

extension LocalSubscription: CustomStringConvertible, CustomReflectable {
  private var state: String { slot.map { $0.after == LocalSlot.never ? "paused" : "active" } ?? "ended" }
  /// What it is, what it was made on, and whether it is active, paused or ended.
  public var description: String { described("LocalSubscription to", list.name, state) }
  public var customMirror: Mirror { mirrored(self, parts(list.name, state)) }
}

extension Pump: CustomStringConvertible {
  /// What it is, and whether it was cancelled.
  public var description: String { isCancelled ? "Pump (cancelled)" : "Pump (active)" }
}

extension EventStream: CustomStringConvertible, CustomReflectable {
  private var source: String { subscription.registration.list.name }
  private var state: String { "\(core.hub.waiting) waiting, \(droppedCount) dropped" }
  /// What it is, what it was made of, and how many values wait and were dropped.
  public var description: String { described("\(Self.self) of", source, state) }
  public var customMirror: Mirror { mirrored(self, parts(source, state), isObject: false) }
}

extension Operated: CustomStringConvertible {
  /// What it is; its source is in closures.
  public var description: String { "\(Self.self)" }
}

// MARK: What they are made of

// Never inlined: each is called by many, and seldom.
@inline(never)
private func described(_ type: Any.Type, _ origin: Origin, _ count: Int) -> String {
  described("\(type)", origin.name, counted(count, "subscription"))
}
@inline(never)
private func described(_ kind: String, _ name: String, _ state: String) -> String {
  "\(kind) '\(name)' (\(state))"
}
@inline(never)
private func parts(_ origin: Origin, _ count: Int) -> KeyValuePairs<String, Any> {
  ["label": origin.label as Any, "subscriptions": count]
}
@inline(never)
private func parts(_ source: String, _ state: String) -> KeyValuePairs<String, Any> {
  ["source": source, "state": state]
}

@inline(never)
func mirrored<Subject>(_ subject: Subject, _ parts: KeyValuePairs<String, Any>, isObject: Bool = true) -> Mirror {
  Mirror(subject, children: parts, displayStyle: isObject ? .class : .struct)
}
