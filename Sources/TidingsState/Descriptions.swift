public import Tidings

// What `print`, `dump` and a debugger show: computes nothing, and is no read of a `Derived` that prints.

extension AsyncDerived: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, the state that it has, and how many subscribe.
  ///
  /// ```swift
  /// print(user)   // AsyncDerived 'user': loading(previous: nil), 1 subscription
  /// ```
  public var description: String { "AsyncDerived" + states.description.dropFirst("Derived".count) }
  public var customMirror: Mirror { Mirror(self, children: states.customMirror.children, displayStyle: .class) }

  /// What this value looks like now: label, subscriptions and where they were made, changes that wait.
  public var diagnosis: Diagnosis { states.diagnosis }
}

extension Scope: CustomStringConvertible, CustomReflectable {
  /// What it is, and what is in it.
  ///
  /// ```swift
  /// print(scope)   // Scope (2 subscriptions, 1 task)
  /// ```
  public var description: String { "Scope (\(members.summary))" }
  public var customMirror: Mirror { Mirror(self, children: ["members": members.summary], displayStyle: .class) }
}
