/// Values in raw memory, side by side, first in, first out.
///
/// As dense as an array, because two threads use it alternately: what moves from core to core is its cache lines. Not generic
/// for the reason that `RawRingBuffer` gives. Its owner destroys the values; that is user code.
@usableFromInline
struct RawBuffer {
  @usableFromInline var base: UnsafeMutableRawPointer?
  /// Offsets in bytes: of the first value, and of the place for the next.
  @usableFromInline var head: Int
  @usableFromInline var tail: Int
  private var capacity: Int

  init() { (head, tail, capacity) = (0, 0, 0) }  // beside the declarations each is an exported function

  @_alwaysEmitIntoClient
  var isEmpty: Bool { head == tail }
  func count<P>(of _: P.Type) -> Int { (tail &- head) / MemoryLayout<P>.stride }

  @inline(__always)
  mutating func push<P>(_ value: P) {
    if tail &+ MemoryLayout<P>.stride > capacity { ensureCapacity(for: P.self) }
    (base.unsafelyUnwrapped + tail).initializeMemory(as: P.self, to: value)
    tail &+= MemoryLayout<P>.stride
  }

  /// Moves the first value out; there is one.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func pop<P>(as _: P.Type = P.self) -> P {
    let first = (base.unsafelyUnwrapped + head).assumingMemoryBound(to: P.self)
    head &+= MemoryLayout<P>.stride
    return first.move()
  }

  /// The first value; there is one.
  func first<P: BitwiseCopyable>(as _: P.Type) -> P { (base.unsafelyUnwrapped + head).load(as: P.self) }

  /// Moves the first value of the other in.
  mutating func take<P>(firstOf other: inout RawBuffer, as _: P.Type) {
    if tail &+ MemoryLayout<P>.stride > capacity { ensureCapacity(for: P.self) }
    let first = (other.base.unsafelyUnwrapped + other.head).assumingMemoryBound(to: P.self)
    (base.unsafelyUnwrapped + tail).moveInitializeMemory(as: P.self, from: first, count: 1)
    tail &+= MemoryLayout<P>.stride
    other.head &+= MemoryLayout<P>.stride
    if other.isEmpty { other.rewind() }
  }

  /// After the last value was removed. The memory of a burst is deallocated.
  mutating func rewind() {
    (head, tail) = (0, 0)
    if capacity > 1 << 16 {
      base?.deallocate()
      (base, capacity) = (nil, 0)
    }
  }

  /// Moves the values to the front, into a buffer of twice the size if they fill half of this one.
  @inline(never)
  private mutating func ensureCapacity<P>(for _: P.Type) {
    let count = count(of: P.self)
    let old = base
    let isFull = count * MemoryLayout<P>.stride * 2 >= capacity
    if isFull {
      capacity = max(4 * MemoryLayout<P>.stride, 64, capacity * 2)
      base = .allocate(byteCount: capacity, alignment: max(16, MemoryLayout<P>.alignment))
    }
    if let old {
      base!.assumingMemoryBound(to: P.self)
        .moveInitialize(from: (old + head).assumingMemoryBound(to: P.self), count: count)
      if isFull { old.deallocate() }
    }
    (head, tail) = (0, count * MemoryLayout<P>.stride)
  }

  /// Removes everything, to be destroyed outside the lock.
  mutating func takeAll() -> RawBuffer {
    defer { self = RawBuffer() }
    return self
  }

  /// Destroys the values and deallocates the memory.
  consuming func destroy<P>(_: P.Type) {
    guard let base else { return }
    (base + head).assumingMemoryBound(to: P.self).deinitialize(count: count(of: P.self))
    base.deallocate()
  }
}
