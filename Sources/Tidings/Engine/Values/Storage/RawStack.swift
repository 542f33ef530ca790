/// A stack of plain words in raw memory: no uniqueness check, no retain. Its owner frees it.
struct RawStack<Element: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Element>?
  private(set) var count = 0
  private var capacity = 0

  var isEmpty: Bool { @inline(__always) get { count == 0 } }
  var last: UnsafeMutablePointer<Element> { @inline(__always) get { base.unsafelyUnwrapped + (count &- 1) } }
  subscript(index: Int) -> Element {
    @inline(__always) get { base.unsafelyUnwrapped[index] }
    nonmutating set { base.unsafelyUnwrapped[index] = newValue }
  }

  @inline(__always)
  mutating func push(_ element: Element) {
    if _slowPath(count == capacity) { grow() }
    (base.unsafelyUnwrapped + count).initialize(to: element)
    count &+= 1
  }
  @inline(__always)
  mutating func pop() -> Element {
    count &-= 1
    return base.unsafelyUnwrapped[count]
  }
  /// Keeps the memory, unless it is much.
  @inline(__always)
  mutating func removeAll(but first: Int = 0) {
    count = first
    if _slowPath(first == 0 && capacity > 1 << 14) { shrink() }
  }
  /// Removes the elements from `first` to before `end`. The elements after them move up.
  @inline(never)
  mutating func remove(from first: Int, to end: Int) {
    let base = base.unsafelyUnwrapped
    (base + first).update(from: base + end, count: count &- end)
    count = first &+ (count &- end)
  }

  @inline(never)
  private mutating func shrink() {
    base?.deallocate()
    base = nil
    capacity = 0
  }

  @inline(never)
  private mutating func grow() {
    let newCapacity = max(16, capacity * 2)
    let new = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
    if let base {
      new.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = new
    capacity = newCapacity
  }
  func free() { base?.deallocate() }
}
