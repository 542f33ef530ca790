// The text that `print`, `dump`, a debugger and a failing test show: the kind, the name, the state and the number of
// subscriptions. It asks the transport for nothing. A `Derived` that prints one of these objects depends on none of its values.
import Tidings

extension Relay: CustomStringConvertible, CustomReflectable {
  /// The type, the name, the namespace and the state.
  ///
  /// ```swift
  /// print(relay)   // Relay 'till 3' in 'shop' (connected("shop.db"))
  /// ```
  public var description: String { "Relay '\(name)' in '\(namespace)' (\(untracked { state.value }))" }
  public var customMirror: Mirror {
    Mirror(
      self, children: ["name": name, "namespace": namespace, "state": untracked { state.value }], displayStyle: .class)
  }
}

extension RelayedEvent: CustomStringConvertible, CustomReflectable {
  /// The type, the subject and the number of subscriptions in this process.
  public var description: String { described(Self.self, subject, count) }
  public var customMirror: Mirror {
    Mirror(self, children: ["subject": subject, "subscriptions": count], displayStyle: .class)
  }
}

extension KeptEvent: CustomStringConvertible, CustomReflectable {
  /// The type, the subject and the number of subscriptions in this process.
  public var description: String { described(Self.self, subject, count) }
  public var customMirror: Mirror {
    Mirror(self, children: ["subject": subject, "subscriptions": count], displayStyle: .class)
  }
}

extension RelayedValue: CustomStringConvertible, CustomReflectable {
  /// The type, the key, the last computed value and the number of subscriptions in this process.
  public var description: String { "RelayedValue" + local.description.dropFirst("Derived".count) }
  public var customMirror: Mirror { Mirror(self, children: local.customMirror.children, displayStyle: .class) }
}

extension KeptHandling: CustomStringConvertible, CustomReflectable {
  private var state: String { isCancelled ? "cancelled" : "active" }
  /// The type, the subject, the consumer, and whether messages are still handled.
  public var description: String { "KeptHandling of '\(subject)' as '\(consumer)' (\(state))" }
  public var customMirror: Mirror {
    Mirror(self, children: ["subject": subject, "consumer": consumer, "state": state], displayStyle: .class)
  }
}

extension Schema: CustomStringConvertible, CustomReflectable {
  /// The type, the name and the version that is written.
  public var description: String { "Schema<\(Payload.self)> '\(name)' (version \(version))" }
  public var customMirror: Mirror { Mirror(self, children: ["name": name, "version": version], displayStyle: .struct) }
}

extension ConflictRule: CustomStringConvertible {
  /// The type: a rule is a closure.
  public var description: String { "ConflictRule<\(Value.self)>" }
}

extension MemoryBroker: CustomStringConvertible, CustomReflectable {
  private var state: String { isReachable ? "reachable" : "unreachable" }
  /// The type, and whether transports reach the broker.
  public var description: String { "MemoryBroker (\(state))" }
  public var customMirror: Mirror { Mirror(self, children: ["state": state], displayStyle: .class) }
}

private func described(_ type: Any.Type, _ subject: String, _ count: Int) -> String {
  "\(type) '\(subject)' (\(count) subscription\(count == 1 ? "" : "s"))"
}
