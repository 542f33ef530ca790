// The text that `print`, `dump`, a debugger and a failing test show.

extension Recorder: CustomStringConvertible, CustomReflectable {
  /// The type and the values so far.
  public var description: String { "Recorder \(values)" }
  public var customMirror: Mirror { Mirror(self, children: ["values": values], displayStyle: .class) }
}

extension Recording: CustomStringConvertible, CustomReflectable {
  /// The type and the values so far.
  public var description: String { "Recording \(values)" }
  public var customMirror: Mirror { Mirror(self, children: ["values": values], displayStyle: .class) }
}

extension ManualQueue: CustomStringConvertible, CustomReflectable {
  /// The type and the number of jobs that wait.
  public var description: String { "ManualQueue (\(count) job\(count == 1 ? "" : "s"))" }
  public var customMirror: Mirror { Mirror(self, children: ["jobs": count], displayStyle: .class) }
}
