import Testing
import Tidings
import TidingsTesting

/// The changes that a handler received, in order.
final class ChangeRecorder<Value: Sendable>: Sendable {
  private let recorder = Recorder<Change<Value>>()

  func callAsFunction(_ change: Change<Value>) { recorder(change) }

  var changes: [Change<Value>] { recorder.values }
  var newValues: [Value] { changes.map(\.new) }
  var olds: [Value?] { changes.map(\.old) }

  func changes(atLeast count: Int) async -> [Change<Value>] { await recorder.values(atLeast: count) }
}

extension ChangeRecorder where Value: Equatable {
  /// Whether `old` of each change is `new` of the one before; the first is `.initial`'s or continues from what is given.
  func isUnbroken(from first: Value? = nil) -> Bool {
    var last = first
    for (index, change) in changes.enumerated() {
      if change.old == nil, index > 0 || first != nil { return false }
      if let last, change.old != last { return false }
      last = change.new
    }
    return true
  }

  /// Waits until a value is the last that the handler has received, for one that receives through a queue.
  func ends(with value: Value) async -> Bool {
    await eventually { changes.last?.new == value }
  }
}

extension Change where Value: Equatable {
  /// As tests write it.
  static func from(_ old: Value?, to new: Value) -> Self { Change(old: old, new: new) }
}
