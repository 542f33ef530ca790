// The text that a debugger, `print` and `dump` show. It computes nothing. A `Derived` that prints a value does not depend on it.

extension Observed: CustomStringConvertible, CustomReflectable {
  /// The type, the label, the value and the number of subscriptions.
  ///
  /// ```swift
  /// print(price)   // Observed 'price': 101.5, 2 subscriptions
  /// ```
  public var description: String { sentence("Observed", untracked { value }, false, diagnostics) }
  public var customMirror: Mirror { mirrored(self, parts(untracked { value }, false, diagnostics)) }
}

extension Derived: CustomStringConvertible, CustomReflectable {
  private var known: (value: Any?, isStale: Bool) { cell.lastKnown }
  /// The type, the label, the last value and the number of subscriptions.
  ///
  /// ```swift
  /// print(total)   // Derived 'total': 16.0, 1 subscription
  /// ```
  ///
  /// The value is the one that was computed last, followed by *stale* if it has to be recomputed, or *not computed*.
  public var description: String {
    let known = known
    return sentence("Derived", known.value, known.isStale, diagnostics)
  }
  public var customMirror: Mirror {
    let known = known
    return mirrored(self, parts(known.value, known.isStale, diagnostics))
  }
}

extension ReadOnly: CustomStringConvertible, CustomReflectable {
  /// The description of the source.
  public var description: String { "ReadOnly \(source)" }
  public var customMirror: Mirror { mirrored(self, ["source": source], isObject: false) }
}

extension LocalObserved: CustomStringConvertible, CustomReflectable {
  /// The type, the label, the value and the number of subscriptions.
  public var description: String { sentence("LocalObserved", value, false, diagnostics) }
  public var customMirror: Mirror { mirrored(self, parts(value, false, diagnostics)) }
}

// Not generic, and never inlined: the types above call them, so that each adds little code to a client.

@inline(never)
private func sentence(_ kind: String, _ value: Any?, _ isStale: Bool, _ diagnostics: Diagnostics) -> String {
  var text = kind
  if let label = diagnostics.label { text += " '" + label + "'" }
  text += ": "
  if let value { text += String(describing: value) + (isStale ? " (stale)" : "") } else { text += "not computed" }
  return text + ", " + counted(diagnostics.count, "subscription")
}

@inline(never)
private func parts(_ value: Any?, _ isStale: Bool, _ diagnostics: Diagnostics) -> KeyValuePairs<String, Any> {
  ["label": diagnostics.label as Any, "value": value as Any, "isStale": isStale, "subscriptions": diagnostics.count]
}
