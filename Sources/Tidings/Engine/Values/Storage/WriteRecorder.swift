import Synchronization

/// Takes part in the writes of sources: what it writes is committed together with them.
package protocol WriteRecorder: AnyObject, Sendable {
  /// Called in the transaction of the write, and again where the write is applied again. It may write other values.
  func record(_ write: RecordedWrite)
}

package struct RecordedWrite: Sendable {
  /// The index that the recorder was attached with.
  package let index: Int
  package let old, new: any Sendable
  /// The first write of the source in its transaction: `old` is the committed value.
  package let isFirst: Bool
  package let transaction: UInt32
  package let propagation: UInt
}

/// The recorders of a source, if it has any. Such a source is cautious.
func knownRecorders(of node: NodePointer) -> Recorders? {
  if !node.pointee.isCautious.load(ordering: .relaxed) { return nil }
  return node.pointee.body._withUnsafeGuaranteedRef { $0.knownRecorders }
}

/// The recorders of a source.
final class Recorders: Sendable {
  private let all = Lock<[(recorder: any WriteRecorder, index: Int)]>([])

  func add(_ recorder: any WriteRecorder, at index: Int) { all.withLock { $0.append((recorder, index)) } }
  func remove(_ recorder: any WriteRecorder) {
    let removed = all.withLock { all in
      defer { all.removeAll { $0.recorder === recorder } }
      return all
    }
    withExtendedLifetime(removed) {}
  }
  func record(
    _ old: any Sendable, _ new: any Sendable, isFirst: Bool, in transaction: UInt32, of propagation: UInt
  ) {
    for (recorder, index) in all.withLock({ $0 }) {
      recorder.record(
        RecordedWrite(
          index: index, old: old, new: new, isFirst: isFirst, transaction: transaction, propagation: propagation))
    }
  }
}
