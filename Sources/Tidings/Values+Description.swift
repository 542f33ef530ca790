// What a debugger, `print` and `dump` show: computes nothing, and is no read of a `Derived` that prints.

extension Observed: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, its value, and how many subscribe.
  ///
  /// ```swift
  /// print(price)   // Observed 'price': 101.5, 2 subscriptions
  /// ```
  public var description: String { describe("Observed", untracked { value }, false, diagnosis) }
  public var customMirror: Mirror {
    Mirror(self, children: parts(untracked { value }, false, diagnosis), displayStyle: .class)
  }
}

extension Derived: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, the value that it has, and how many subscribe.
  ///
  /// ```swift
  /// print(total)   // Derived 'total': 16.0, 1 subscription
  /// ```
  ///
  /// The value is the one last computed, with *stale* behind it if it has to be computed again, or *not computed*.
  public var description: String {
    let known = cell.lastKnown
    return describe("Derived", known.value, known.isStale, diagnosis)
  }
  public var customMirror: Mirror {
    let known = cell.lastKnown
    return Mirror(self, children: parts(known.value, known.isStale, diagnosis), displayStyle: .class)
  }
}

extension ReadOnly: CustomStringConvertible, CustomReflectable {
  /// What its source says of itself.
  public var description: String { "ReadOnly \(source)" }
  public var customMirror: Mirror { Mirror(self, children: ["source": source], displayStyle: .struct) }
}

extension LocalObserved: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, its value, and how many subscribe.
  public var description: String { describe("LocalObserved", value, false, diagnosis) }
  public var customMirror: Mirror { Mirror(self, children: parts(value, false, diagnosis), displayStyle: .class) }
}

// Without a generic part: the types above name it and add little to a client.

private func describe(_ kind: String, _ value: Any?, _ isStale: Bool, _ diagnosis: Diagnosis) -> String {
  var text = diagnosis.label.map { "\(kind) '\($0)': " } ?? "\(kind): "
  if let value { text += String(describing: value) + (isStale ? " (stale)" : "") } else { text += "not computed" }
  return text + ", \(diagnosis.count) subscription\(diagnosis.count == 1 ? "" : "s")"
}

private func parts(
  _ value: Any?, _ isStale: Bool, _ diagnosis: Diagnosis
) -> KeyValuePairs<String, Any> {
  ["label": diagnosis.label as Any, "value": value as Any, "isStale": isStale, "subscriptions": diagnosis.count]
}
