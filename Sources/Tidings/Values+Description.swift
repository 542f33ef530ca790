// What a debugger, `print` and `dump` show: computes nothing, and is no read of a `Derived` that prints.

extension Observed: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, its value, and how many subscribe.
  ///
  /// ```swift
  /// print(price)   // Observed 'price': 101.5, 2 subscriptions
  /// ```
  public var description: String { summary.text }
  public var customMirror: Mirror { summary.mirror(of: self) }
  private var summary: ValueSummary {
    let diagnosis = diagnosis
    return ValueSummary("Observed", diagnosis.label, untracked { value }, diagnosis.count)
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
  public var description: String { summary.text }
  public var customMirror: Mirror { summary.mirror(of: self) }
  private var summary: ValueSummary {
    let (known, diagnosis) = (cell.lastKnown, diagnosis)
    return ValueSummary("Derived", diagnosis.label, known.value, diagnosis.count, isStale: known.isStale)
  }
}

extension ReadOnly: CustomStringConvertible, CustomReflectable {
  /// What its source says of itself.
  public var description: String { "ReadOnly \(source)" }
  public var customMirror: Mirror { Mirror(self, children: ["source": source], displayStyle: .struct) }
}

extension LocalObserved: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, its value, and how many subscribe.
  public var description: String { summary.text }
  public var customMirror: Mirror { summary.mirror(of: self) }
  private var summary: ValueSummary {
    let diagnosis = diagnosis
    return ValueSummary("LocalObserved", diagnosis.label, value, diagnosis.count)
  }
}

/// Without a generic part: the types above name it and add little to a client.
private struct ValueSummary {
  let kind: String
  let label: String?
  let value: Any?
  let count: Int
  let isStale: Bool

  init(_ kind: String, _ label: String?, _ value: Any?, _ count: Int, isStale: Bool = false) {
    self.kind = kind
    self.label = label
    self.value = value
    self.count = count
    self.isStale = isStale
  }

  var text: String {
    var text = label.map { "\(kind) '\($0)': " } ?? "\(kind): "
    if let value { text += String(describing: value) + (isStale ? " (stale)" : "") } else { text += "not computed" }
    return text + ", \(count) subscription\(count == 1 ? "" : "s")"
  }

  func mirror<Subject>(of subject: Subject) -> Mirror {
    Mirror(
      subject, children: ["label": label as Any, "value": value as Any, "isStale": isStale, "subscriptions": count],
      displayStyle: .class)
  }
}
