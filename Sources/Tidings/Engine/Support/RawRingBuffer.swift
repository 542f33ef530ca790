/// A first-in-first-out queue in raw memory: values, each with the note that travels with it.
///
/// Not generic, on purpose: in code that another module calls unspecialised, every generic type that is *named* (an array of
/// items, a nested enum, a tuple of them) is a metadata look-up of 20 to 30 ns at run time; a nested emit took 410 ns with a
/// generic queue and takes about 70 with this one. Guarded by its owner's lock.
struct RawRingBuffer {
  /// The note that travels with a value.
  struct Note {
    var counter: Unmanaged<CompletionCounter>?
    /// The task-local values that are propagated to its handlers.
    var locals: Unmanaged<CarriedLocals>?
    /// The number of the transaction that it was emitted in; 0 for none.
    let transaction: UInt32
    /// Causal depth; below 0 where a handler of the same event emitted it.
    private let place: Int32
    /// Its causal chain; 0 where it begins one.
    let chain: UInt32
    /// The bits of the `UpstreamNumber` through which it came.
    fileprivate(set) var origin: UInt32

    init(
      _ counter: Unmanaged<CompletionCounter>? = nil, _ locals: Unmanaged<CarriedLocals>? = nil, depth: Int = 0,
      chain: UInt32 = 0,
      own: Bool = false, in transaction: UInt32 = 0, from origin: UInt32 = 0
    ) {
      self.counter = counter
      self.locals = locals
      self.transaction = transaction
      self.chain = chain
      self.origin = origin
      let depth = Int32(truncatingIfNeeded: depth)
      place = own ? -depth : depth
    }
    var depth: Int { Int(abs(place)) }
    var isOwn: Bool { place < 0 }
  }

  private var base: UnsafeMutableRawPointer?
  private var head = 0
  private(set) var capacity = 0
  private(set) var count = 0
  /// How many values were ever pushed, and popped.
  private(set) var pushed = 0
  var popped: Int { pushed - count }

  let stride: Int
  private let alignment: Int

  init<P>(of: P.Type) {
    alignment = max(MemoryLayout<Note>.alignment, MemoryLayout<P>.alignment)
    let size = (MemoryLayout<P>.size + MemoryLayout<Note>.alignment - 1) & ~(MemoryLayout<Note>.alignment - 1)
    stride = (size + MemoryLayout<Note>.stride + alignment - 1) & ~(alignment - 1)
  }

  var isEmpty: Bool { count == 0 }
  /// Also of an empty queue, until `takeAll()`.
  var hasMemory: Bool { base != nil }

  private func cell(_ index: Int) -> UnsafeMutableRawPointer { base! + ((head &+ index) & (capacity &- 1)) &* stride }
  private func note(_ cell: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Note> {
    (cell + (stride &- MemoryLayout<Note>.stride)).assumingMemoryBound(to: Note.self)
  }

  @inline(__always)
  mutating func push<P>(
    _ value: P, _ counter: CompletionCounter?, _ locals: CarriedLocals? = nil, depth: Int, chain: UInt32, own: Bool,
    in transaction: UInt32 = 0, from origin: UInt32 = 0
  ) {
    if count == capacity { grow(P.self) }
    let end = cell(count)
    count &+= 1
    pushed &+= 1
    end.initializeMemory(as: P.self, to: value)
    note(end).initialize(
      to: Note(
        counter.map { .passRetained($0) }, locals.map { .passRetained($0) }, depth: depth, chain: chain, own: own,
        in: transaction, from: origin))
  }

  /// Whether the first value was emitted by a handler of the same event.
  var isFirstOwn: Bool { note(cell(0)).pointee.isOwn }
  /// The number of values of a causal chain that wait.
  func count(ofChain chain: UInt32) -> Int {
    var found = 0
    for index in 0..<count where note(cell(index)).pointee.chain == chain { found += 1 }
    return found
  }

  /// Those from `origin` stay, to be counted and destroyed in their turn; from now on they are from `revoked`.
  func revoke(from origin: UInt32, as revoked: UInt32) {
    for index in 0..<count {
      let note = note(cell(index))
      if note.pointee.origin == origin { note.pointee.origin = revoked }
    }
  }

  /// The value takes the place and the number of the last one, which is returned. For the calls of asynchronous handlers alone: their
  /// notes have nothing but an origin.
  mutating func replaceLast<P>(with value: P, from origin: UInt32) -> P {
    let last = cell(count &- 1)
    note(last).pointee.origin = origin
    let place = last.assumingMemoryBound(to: P.self)
    defer { place.initialize(to: value) }
    return place.move()
  }

  /// Moves the first value out, with the padding after it, to a place that was allocated for one. The caller owns it, and what
  /// travels with it. The memory of a burst is given back with its last value.
  @inline(__always)
  mutating func pop<P>(into place: UnsafeMutablePointer<P>) -> Note {
    let first = cell(0)
    place.moveInitialize(from: first.assumingMemoryBound(to: P.self), count: 1)
    let note = note(first).pointee
    head = (head &+ 1) & (capacity &- 1)
    count &-= 1
    if count == 0, capacity > Self.kept { giveBack() }
    return note
  }
  /// The number of places that are kept when the queue is empty.
  private static var kept: Int { 1_024 }
  @inline(never)
  private mutating func giveBack() {
    base?.deallocate()
    (base, head, capacity) = (nil, 0, 0)
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private mutating func grow<P>(_: P.Type) {
    let newCapacity = max(4, capacity * 2)
    let new = UnsafeMutableRawPointer.allocate(byteCount: newCapacity * stride, alignment: alignment)
    for index in 0..<count {
      let (from, to) = (cell(index), new + index * stride)
      to.assumingMemoryBound(to: P.self).moveInitialize(from: from.assumingMemoryBound(to: P.self), count: 1)
      note(to).initialize(to: note(from).pointee)
    }
    base?.deallocate()
    base = new
    head = 0
    capacity = newCapacity
  }

  /// Removes everything, to be destroyed outside the lock.
  mutating func takeAll() -> RawRingBuffer {
    let all = self
    base = nil
    head = 0
    capacity = 0
    count = 0
    return all
  }

  /// Destroys the values. That is user code: never under a lock.
  @_semantics("optimize.sil.specialize.generic.never")
  consuming func destroy<P>(_: P.Type) {
    for index in 0..<count {
      cell(index).assumingMemoryBound(to: P.self).deinitialize(count: 1)
      note(cell(index)).pointee.locals?.release()
      note(cell(index)).pointee.counter?.takeRetainedValue().leave()
    }
    base?.deallocate()
  }
}
