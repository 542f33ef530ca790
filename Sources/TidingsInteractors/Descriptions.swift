// The text that `print`, `dump`, a debugger and a failing test show. It computes nothing. A `Derived` that prints one of these
// objects depends on none of its values.
import Tidings

extension Interactor: CustomStringConvertible, CustomReflectable {
  /// The type, the draft, and what there is to say about it.
  ///
  /// ```swift
  /// print(interactor)   // Interactor<Double> (draft "40.5", editing)
  /// ```
  public nonisolated var description: String {
    let (draft, isEditing, error) = untracked { (drafted.value, attended.value, objection.value) }
    var state = "draft \"\(draft)\""
    if isEditing { state += ", editing" }
    if let error { state += ", \(error)" }
    return "Interactor<\(Value.self)> (\(state))"
  }
  public nonisolated var customMirror: Mirror {
    let (draft, isEditing, error) = untracked { (drafted.value, attended.value, objection.value) }
    return Mirror(
      self,
      children: ["committed": committed, "draft": draft, "isEditing": isEditing, "error": error as Any],
      displayStyle: .class)
  }
}

extension Form: CustomStringConvertible, CustomReflectable {
  /// The type and the number of interactors.
  ///
  /// ```swift
  /// print(form)   // Form (2 interactors)
  /// ```
  public nonisolated var description: String { "Form (\(count) interactor\(count == 1 ? "" : "s"))" }
  public nonisolated var customMirror: Mirror {
    Mirror(
      self, children: ["interactors": count, "isEdited": isEdited, "isValid": isValid, "errors": errors],
      displayStyle: .class)
  }
}

extension Bond: CustomStringConvertible, CustomReflectable {
  private var state: String { isActive ? "active" : "cancelled" }
  /// The type, and whether the two values are still kept in agreement.
  public var description: String { "Bond (\(state))" }
  public var customMirror: Mirror {
    Mirror(self, children: ["state": state, "error": untracked { error.value } as Any], displayStyle: .class)
  }
}

extension Projection: CustomStringConvertible, CustomReflectable {
  /// The type and the value that is edited.
  public var description: String { "Projection of \(readOnly)" }
  public var customMirror: Mirror { Mirror(self, children: ["readOnly": readOnly], displayStyle: .struct) }
}

extension Validator: CustomStringConvertible {
  /// The type, and when the validator answers.
  public var description: String {
    switch kind {
    case .now: "Validator<\(Value.self)> (immediate)"
    case .later: "Validator<\(Value.self)> (asynchronous)"
    }
  }
}

extension Conversion: CustomStringConvertible {
  /// The type, which names both sides.
  public var description: String { "Conversion<\(A.self), \(B.self)>" }
}

// These conformances are isolated to the main actor, as their types are: elsewhere `print` shows the type.

extension MemoryTextControl: @MainActor CustomStringConvertible, @MainActor CustomReflectable {
  /// The type and the text.
  public var description: String { "MemoryTextControl \"\(text)\"" }
  public var customMirror: Mirror { mirror(of: self) }
}

extension ReportedTextControl: @MainActor CustomStringConvertible, @MainActor CustomReflectable {
  /// The type and the text.
  public var description: String { "ReportedTextControl \"\(text)\"" }
  public var customMirror: Mirror { mirror(of: self) }
}

extension TextControlSignals: @MainActor CustomStringConvertible, @MainActor CustomReflectable {
  /// The type and the number of subscriptions to its hooks and events.
  public var description: String {
    let counts = [
      shouldChange.diagnostics, shouldClear.diagnostics, shouldReturn.diagnostics, didChange.diagnostics,
      didBeginEditing.diagnostics, didEndEditing.diagnostics,
    ].map(\.count)
    let count = counts.reduce(0, +)
    return "TextControlSignals (\(count) subscription\(count == 1 ? "" : "s"))"
  }
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "shouldChange": shouldChange, "shouldClear": shouldClear, "shouldReturn": shouldReturn, "didChange": didChange,
        "didBeginEditing": didBeginEditing, "didEndEditing": didEndEditing,
      ], displayStyle: .class)
  }
}

@MainActor
private func mirror<Control: TextControl>(of control: Control) -> Mirror {
  Mirror(
    control,
    children: [
      "text": control.text, "selection": control.selection, "isEditing": control.isEditing, "signals": control.signals,
    ], displayStyle: .class)
}
