// The text that `print`, `dump` and a debugger show. It computes nothing. A `Derived` that prints a value does not depend on it.
import Tidings

extension ObservedArray: CustomStringConvertible, CustomReflectable {
  /// The type, the label, the elements and the number of subscriptions.
  ///
  /// ```swift
  /// print(tasks)   // ObservedArray 'tasks': ["read", "write"], 1 subscription
  /// ```
  public var description: String { described("ObservedArray", state) }
  public var customMirror: Mirror { mirrored(self, state) }
}

extension DerivedArray: CustomStringConvertible, CustomReflectable {
  /// The type, the last computed elements and the number of subscriptions.
  public var description: String { described("DerivedArray", state) }
  public var customMirror: Mirror { mirrored(self, state) }
}

extension ObservedDictionary: CustomStringConvertible, CustomReflectable {
  /// The type, the label, the elements and the number of subscriptions.
  public var description: String { described("ObservedDictionary", state) }
  public var customMirror: Mirror { mirrored(self, state) }
}

extension DerivedDictionary: CustomStringConvertible, CustomReflectable {
  /// The type, the last computed elements and the number of subscriptions.
  public var description: String { described("DerivedDictionary", state) }
  public var customMirror: Mirror { mirrored(self, state) }
}

// How the states inside these values are shown: as their elements.

extension ArrayState: CustomStringConvertible {
  var description: String { tree.array.description }
}

extension DictionaryState: CustomStringConvertible {
  var description: String { tree.dictionary.description }
}

/// The description of the value inside, under the name of the collection.
private func described(_ name: String, _ state: some CustomStringConvertible) -> String {
  name + state.description.drop { $0.isLetter }
}
private func mirrored(_ subject: some Any, _ state: some CustomReflectable) -> Mirror {
  Mirror(subject, children: state.customMirror.children, displayStyle: .class)
}
