import Synchronization

/// The part of a node that knows its type: closures, specialised where the value was made, and its name for reports.
///
/// The closures are constants and not methods of a generic class. Such methods would be compiled once for all types, and a
/// computation took twice as long.
final class Body: CausalSource {
  /// Computes the value, compares it with the value at `base`, and stores it at `into`. Returns true if the two differ or there is
  /// no base.
  ///
  /// Store the result at `into` last: nested computations use the same scratch memory.
  typealias Compute = (_ base: UnsafeMutableRawPointer?, _ into: UnsafeMutableRawPointer) -> Bool
  /// Not optional, because unwrapping a function makes a new one.
  let compute: Compute
  let values: Values
  let isSource: Bool
  /// The cleanup of the last run, if this is the body of an effect. Its maker sets it before the first computation.
  var cleanup: RunCleanup?
  /// Whether this is the body of the probe of a `LatestValue`, which sets it at the beginning. A probe is never final.
  var isProbe = false
  /// Whether the source has recorders.
  private let isRecorded = Atomic(false)
  /// The replicas of a source. Made when first needed, under the lock.
  var replicas: Replicas?
  /// Made when first needed, under the lock, and read once `isRecorded` is set.
  private var recorders: Recorders?
  override var kind: StaticString { cleanup != nil ? "effect" : isSource ? "observed value" : "derived value" }

  init(
    _ compute: @escaping Compute, isSource: Bool, _ values: Values, _ label: String?, maximumDepth: Int?,
    _ file: StaticString, _ line: UInt
  ) {
    self.compute = compute
    self.isSource = isSource
    self.values = values
    super.init(EventIdentity(label, maximumDepth, file, line))
  }

  var knownRecorders: Recorders? { isRecorded.load(ordering: .acquiring) ? recorders : nil }
  /// Under the lock.
  func makeRecorders() -> Recorders {
    if let recorders { return recorders }
    let new = Recorders()
    recorders = new
    isRecorded.store(true, ordering: .releasing)
    return new
  }
}

/// How values of one type are handled in raw memory. Copies may be made under the lock; destruction and comparisons may not.
@usableFromInline
struct Values {
  /// Makes the change from `notified` to `value` at `pending`, and copies `value` to `notified`. It is the first field, next to the
  /// closure that computes: both are called for each node of a batch.
  let turn:
    (_ notified: UnsafeMutableRawPointer, _ value: UnsafeMutableRawPointer, _ pending: UnsafeMutableRawPointer) -> Void
  /// The size and alignment of a version with its value, and the offset of the value in it.
  let size: Int
  let alignment: Int
  let offset: Int
  /// Nil if there is nothing to destroy.
  let destroy: ((UnsafeMutableRawPointer) -> Void)?
  /// Destruction runs no user code, so it need not be deferred. Deferring it cost a wide graph of strings 17 % more instructions.
  let isQuiet: Bool
  let copy: (_ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer) -> Void
  /// Swaps two values. Runs no user code.
  let swap: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  /// Nil if values cannot be compared; then every value counts as different.
  let areEqual: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)?

  var words: Int { Version.words(isPlain: destroy == nil, size: size - offset, alignment: alignment) }
  /// A version fits the blocks that threads keep.
  var isUsual: Bool { size <= SpareMemory.usualSize && alignment <= 16 }

  @usableFromInline
  init(
    size: Int, alignment: Int, offset: Int, destroy: ((UnsafeMutableRawPointer) -> Void)?, isQuiet: Bool,
    copy: @escaping (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void,
    swap: @escaping (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void,
    areEqual: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)?,
    turn: @escaping (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    self.size = size
    self.alignment = alignment
    self.offset = offset
    self.destroy = destroy
    self.isQuiet = isQuiet
    self.copy = copy
    self.swap = swap
    self.areEqual = areEqual
    self.turn = turn
  }
}
