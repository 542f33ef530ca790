/// A growing stack of plain elements, for one thread. Its owner frees it.
struct RawStack<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 32) {
    base = .allocate(capacity: capacity)
    self.capacity = capacity
  }
  deinit { base.deallocate() }

  var isEmpty: Bool { @inline(__always) get { count == 0 } }
  @inline(__always)
  mutating func push(_ element: Element) {
    if _slowPath(count == capacity) { grow() }
    (base + count).initialize(to: element)
    count &+= 1
  }
  @inline(__always)
  mutating func pop() -> Element {
    count &-= 1
    return base[count]
  }
  @inline(__always)
  mutating func truncate(to count: Int) { self.count = count }
  subscript(index: Int) -> Element {
    @inline(__always) get { base[index] }
    @inline(__always) nonmutating set { base[index] = newValue }
  }

  @inline(never)
  private mutating func grow() {
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    new.moveInitialize(from: base, count: count)
    base.deallocate()
    base = new
    capacity *= 2
  }
}
