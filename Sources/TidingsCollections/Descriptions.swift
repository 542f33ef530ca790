// What `print`, `dump` and a debugger show. It computes nothing, and a `Derived` that prints a value does not depend on it.
import Tidings

extension ObservedArray: CustomStringConvertible, CustomReflectable {
  /// The type, the label, the elements and the number of subscriptions.
  ///
  /// ```swift
  /// print(tasks)   // ObservedArray 'tasks': ["read", "write"], 1 subscription
  /// ```
  public var description: String { "ObservedArray" + state.description.dropFirst("Observed".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

extension DerivedArray: CustomStringConvertible, CustomReflectable {
  /// The type, the last computed elements and the number of subscriptions.
  public var description: String { "DerivedArray" + state.description.dropFirst("Derived".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

extension ObservedDictionary: CustomStringConvertible, CustomReflectable {
  /// The type, the label, the elements and the number of subscriptions.
  public var description: String { "ObservedDictionary" + state.description.dropFirst("Observed".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

extension DerivedDictionary: CustomStringConvertible, CustomReflectable {
  /// The type, the last computed elements and the number of subscriptions.
  public var description: String { "DerivedDictionary" + state.description.dropFirst("Derived".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

// How the states inside these values are shown: as their elements.

extension ArrayState: CustomStringConvertible {
  var description: String { elements.description }
}

extension DictionaryState: CustomStringConvertible {
  var description: String { elements.description }
}
