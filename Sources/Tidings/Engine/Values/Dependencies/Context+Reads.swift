// The reads of the computations under way, in the order of reading.
extension Context {
  /// Notes that the closure under way has read a value. Reading the same value twice in a row counts once.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func note(_ node: NodePointer, _ number: UInt) {
    if _slowPath(!hasCapacity) { ensureCapacity() }
    noteQuickly(node, number)
  }
  /// The same if there is capacity. It is separate, so that a read on the fast path calls no function and need not save registers,
  /// which took 10 of 41 instructions.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func noteQuickly(_ node: NodePointer, _ number: UInt) {
    if UInt(bitPattern: (seen.readEnd - 1).pointee.node) == UInt(bitPattern: node) { return }
    seen.readEnd.initialize(to: Read(node: node, number: number))
    seen.readEnd += 1
  }
  @_alwaysEmitIntoClient var hasCapacity: Bool { @inline(__always) get { seen.readEnd != seen.readLimit } }

  @usableFromInline @inline(never)
  mutating func ensureCapacity() {
    // A closure that reads two values in turn a million times reads two values.
    var start = seen.readEnd
    while (start - 1).pointee.node != nil { start -= 1 }
    if seen.readEnd - start >= 256 {
      var known: Places = [:]
      var (next, end) = (start, start)
      while next < seen.readEnd {
        if known.updateValue(0, forKey: next.pointee.node!) == nil {
          end.pointee = next.pointee
          end += 1
        }
        next += 1
      }
      seen.readEnd = end
    }
    if (seen.readEnd - reads) * 2 > seen.readLimit - reads { doubleCapacity() }
  }
  @inline(never)
  private mutating func doubleCapacity() {
    let (count, capacity) = (seen.readEnd - reads, (seen.readLimit - reads) * 2)
    let new = UnsafeMutablePointer<Read>.allocate(capacity: capacity)
    new.moveInitialize(from: reads, count: count)
    reads.deallocate()
    (reads, seen.readEnd, seen.readLimit) = (new, new + count, new + capacity)
  }

  /// Begins a part of `reads` for a computation. Returns its offset in bytes, which needs no division.
  @inline(__always)
  mutating func beginReads() -> Int {
    if _slowPath(!hasCapacity) { doubleCapacity() }
    seen.readEnd.initialize(to: Read(node: nil, number: 0))
    seen.readEnd += 1
    return UnsafeRawPointer(seen.readEnd) - UnsafeRawPointer(reads)
  }
  @inline(__always)
  func reads(from start: Int) -> UnsafeMutablePointer<Read> {
    (UnsafeMutableRawPointer(reads) + start).assumingMemoryBound(to: Read.self)
  }
  /// Adds the part that starts there to the one before; returns whether it has any.
  mutating func joinReads(_ start: Int) -> Bool {
    let first = reads(from: start)
    let count = seen.readEnd - first
    (first - 1).update(from: first, count: count)
    seen.readEnd -= 1
    return count > 0
  }
  /// Forgets the part that starts there.
  @inline(__always)
  mutating func endReads(_ start: Int) { seen.readEnd = reads(from: start) - 1 }
}
