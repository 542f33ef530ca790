public import Tidings

// The text that `print`, `dump` and a debugger show. It computes nothing. A `Derived` that prints a value does not depend on it.

extension AsyncDerived: CustomStringConvertible, CustomReflectable {
  /// The type, the label, the state and the number of subscriptions.
  ///
  /// ```swift
  /// print(user)   // AsyncDerived 'user': loading(previous: nil), 1 subscription
  /// ```
  public var description: String { "AsyncDerived" + states.description.dropFirst("Derived".count) }
  public var customMirror: Mirror { Mirror(self, children: states.customMirror.children, displayStyle: .class) }

  /// A snapshot of this value for people: label, subscriptions, where they were made, and changes that wait.
  public var diagnostics: Diagnostics { states.diagnostics }
}

extension Scope: CustomStringConvertible, CustomReflectable {
  /// The type and the members.
  ///
  /// ```swift
  /// print(scope)   // Scope (2 subscriptions, 1 task)
  /// ```
  public var description: String { "Scope (\(members.summary))" }
  public var customMirror: Mirror { Mirror(self, children: ["members": members.summary], displayStyle: .class) }
}
