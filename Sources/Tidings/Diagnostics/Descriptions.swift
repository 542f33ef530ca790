// The text that `print`, `dump`, a debugger and a failing test show of the types that are not plain values: the kind, the label
// and the number of subscriptions. Non-generic functions build the sentences and mirrors, so that each type adds little code to
// a client.

extension Event: CustomStringConvertible, CustomReflectable {
  /// The name of this event in reports; nil when it has no label.
  public var label: String? { delivery.identity.label }
  /// The type, the label or else where the event was made, and the number of subscriptions.
  ///
  /// ```swift
  /// print(traded)   // Event<Trade> 'market.traded' (2 subscriptions)
  /// ```
  public var description: String { described(Self.self, delivery, delivery.liveCount) }
  public var customMirror: Mirror { mirrored(self, parts(delivery, delivery.liveCount)) }
}

extension Hook: CustomStringConvertible, CustomReflectable {
  /// The name of this hook in reports; nil when it has no label.
  public var label: String? { list.identity.label }
  /// The type, the label or else where the hook was made, and the number of subscriptions.
  public var description: String { described(Self.self, list, list.liveCount) }
  public var customMirror: Mirror { mirrored(self, parts(list, list.liveCount)) }
}

extension LocalEvent: CustomStringConvertible, CustomReflectable {
  /// The name of this event in reports; nil when it has no label.
  public var label: String? { delivery.identity.label }
  /// The type, the label or else where the event was made, and the number of subscriptions.
  public var description: String { described(Self.self, delivery, delivery.live) }
  public var customMirror: Mirror { mirrored(self, parts(delivery, delivery.live)) }
}

extension LocalHook: CustomStringConvertible, CustomReflectable {
  /// The name of this hook in reports; nil when it has no label.
  public var label: String? { list.identity.label }
  /// The type, the label or else where the hook was made, and the number of subscriptions.
  public var description: String { described(Self.self, list, list.live) }
  public var customMirror: Mirror { mirrored(self, parts(list, list.live)) }
}

extension PropertyChanges: CustomStringConvertible, CustomReflectable {
  /// The name of this event in reports; nil when it has no label.
  public var label: String? { versions.cell.body.identity.label }
  /// The type, the label or else where it was made, and the number of subscriptions.
  public var description: String { described(Self.self, versions.cell.body, versions.cell.liveCount) }
  public var customMirror: Mirror { mirrored(self, parts(versions.cell.body, versions.cell.liveCount)) }
}

extension Subscription: CustomStringConvertible, CustomReflectable {
  private var state: String {
    registration.isLive ? registration.isPaused ? "paused" : "active" : "ended"
  }
  /// The type, the name of its source, and whether it is active, paused or ended.
  public var description: String { described("Subscription to", registration.list.name, state) }
  public var customMirror: Mirror { mirrored(self, parts(registration.list.name, state)) }
}

extension LocalSubscription: CustomStringConvertible, CustomReflectable {
  private var state: String { registration.isPaused ? "paused" : isActive ? "active" : "ended" }
  /// The type, the name of its source, and whether it is active, paused or ended.
  public var description: String { described("LocalSubscription to", list.name, state) }
  public var customMirror: Mirror { mirrored(self, parts(list.name, state)) }
}

extension Pump: CustomStringConvertible {
  /// The type, and whether the pump was cancelled.
  public var description: String { isCancelled ? "Pump (cancelled)" : "Pump (active)" }
}

extension EventStream: CustomStringConvertible, CustomReflectable {
  private var source: String { subscription.registration.list.name }
  private var state: String { core.hub.waiting.description + " waiting, " + droppedCount.description + " dropped" }
  /// The type, the name of the source, and how many values wait and were dropped.
  public var description: String { described("\(Self.self) of", source, state) }
  public var customMirror: Mirror { mirrored(self, parts(source, state), isObject: false) }
}

extension AnyEventSource: CustomStringConvertible {
  /// The type. The source is captured in closures and cannot be named.
  public var description: String { "\(Self.self)" }
}

// MARK: What they are made of

// Never inlined: many callers share them, and call them rarely.
@inline(never)
private func described(_ type: Any.Type, _ source: CausalSource, _ count: Int) -> String {
  described("\(type)", source.name, counted(count, "subscription"))
}
@inline(never)
private func described(_ kind: String, _ name: String, _ state: String) -> String {
  kind + " '" + name + "' (" + state + ")"
}
@inline(never)
private func parts(_ source: CausalSource, _ count: Int) -> KeyValuePairs<String, Any> {
  ["label": source.identity.label as Any, "subscriptions": count]
}
@inline(never)
private func parts(_ source: String, _ state: String) -> KeyValuePairs<String, Any> {
  ["source": source, "state": state]
}

@inline(never) @_semantics("optimize.sil.specialize.generic.never")
func mirrored<Subject>(_ subject: Subject, _ parts: KeyValuePairs<String, Any>, isObject: Bool = true) -> Mirror {
  Mirror(subject, children: parts, displayStyle: isObject ? .class : .struct)
}
