/// The part of a node that knows its type: closures, specialised where the value was made, and its name for reports.
///
/// Closures in `let`s and not methods of a generic class: those would be compiled once for all types, and a computation
/// took twice as long.
final class Body: CausalSource {
  /// Computes, compares with the value at `base`, puts the result at `into`, last of all: what is computed meanwhile may be stored
  /// there until then. True if it differs or there is no base.
  typealias Compute = (_ base: UnsafeMutableRawPointer?, _ into: UnsafeMutableRawPointer) -> Bool
  /// Not optional: unwrapping a function makes another one.
  let compute: Compute
  let values: Values
  let isSource: Bool
  /// Written by its maker, before its first computation.
  var isEffect = false
  /// Of a source, made when first needed, under the lock.
  var replicas: Replicas?
  override var kind: StaticString { isEffect ? "effect" : isSource ? "observed value" : "derived value" }

  init(
    _ compute: @escaping Compute, isSource: Bool, _ values: Values, _ label: String?, maximumDepth: Int?,
    _ file: StaticString, _ line: UInt
  ) {
    self.compute = compute
    self.isSource = isSource
    self.values = values
    super.init(EventIdentity(label, maximumDepth, file, line))
  }
}

/// How values of one type are handled in raw memory. Copies may be made under the lock; destruction and comparisons may not.
@usableFromInline
struct Values {
  /// Makes the change from what was notified to `value` at `pending`, and `value` what was notified. First, beside the closure that
  /// computes: both are called for each node of a batch.
  let turn:
    (_ notified: UnsafeMutableRawPointer, _ value: UnsafeMutableRawPointer, _ pending: UnsafeMutableRawPointer) -> Void
  /// Of a version with its value, and the offset of the value in it.
  let size: Int
  let alignment: Int
  let offset: Int
  /// Nil where there is nothing to destroy.
  let destroy: ((UnsafeMutableRawPointer) -> Void)?
  /// Destruction runs no user code, so it need not wait: a wide graph of strings that waited took a sixth more instructions.
  let isQuiet: Bool
  let copy: (_ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer) -> Void
  /// Makes two values change places. Runs no user code.
  let swap: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  /// Nil where two values cannot be compared: then every value is another.
  let areEqual: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)?

  var words: Int { Version.words(isPlain: destroy == nil, size: size - offset, alignment: alignment) }
  /// Of the size of the blocks that threads keep.
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
