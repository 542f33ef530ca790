// What `print`, `dump` and a debugger show: computes nothing, and is no read of a `Derived` that prints.
import Tidings

extension ObservedArray: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, its elements, and how many subscribe.
  ///
  /// ```swift
  /// print(tasks)   // ObservedArray 'tasks': ["read", "write"], 1 subscription
  /// ```
  public var description: String { "ObservedArray" + state.description.dropFirst("Observed".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

extension DerivedArray: CustomStringConvertible, CustomReflectable {
  /// What it is, the elements that it has, and how many subscribe.
  public var description: String { "DerivedArray" + state.description.dropFirst("Derived".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

extension ObservedDictionary: CustomStringConvertible, CustomReflectable {
  /// What it is, its label, its elements, and how many subscribe.
  public var description: String { "ObservedDictionary" + state.description.dropFirst("Observed".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

extension DerivedDictionary: CustomStringConvertible, CustomReflectable {
  /// What it is, the elements that it has, and how many subscribe.
  public var description: String { "DerivedDictionary" + state.description.dropFirst("Derived".count) }
  public var customMirror: Mirror { Mirror(self, children: state.customMirror.children, displayStyle: .class) }
}

// What the values that these are made of show of their states: the elements.

extension ArrayState: CustomStringConvertible {
  var description: String { elements.description }
}

extension DictionaryState: CustomStringConvertible {
  var description: String { elements.description }
}
