// All that the core takes from the platform: two thread-locals, where a thread's stack ends, memory for the graph, a plain
// mutex, parking and a spin hint, standard error.
import CTidings
import Synchronization

/// A delivery under way on this thread, linked to the one that encloses it.
typealias CausalFrame = tidings_frame

extension CausalFrame {
  /// Runs `body` as part of a delivery by `source`. A depth of 0 means: one deeper than what encloses it, in the same chain.
  @inline(__always)
  static func push<R>(
    _ source: EventIdentity, depth: Int = 0, chain: UInt32 = 0, destroys: Bool = false, _ body: () -> R
  ) -> R {
    var frame = CausalFrame(
      parent: tidings_top(), source: UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque()), depth: depth,
      chain: chain, destroys: destroys ? 1 : 0)
    // Not `withUnsafeMutablePointer`, which puts a guard on the stack: an emit took 5 instructions of 95 more.
    return _withUnprotectedUnsafeMutablePointer(to: &frame) { here in
      tidings_set_top(here)
      defer { tidings_set_top(here.pointee.parent) }
      return body()
    }
  }

  /// The causal chain that this thread is in: the same number for all that one outermost value causes, wherever it is
  /// delivered. 0 outside every handler.
  ///
  /// The chain is numbered when something first asks, in the frame where it begins on this thread: a value that causes
  /// nothing needs no number.
  static var currentChain: UInt32 {
    var first: UnsafePointer<CausalFrame>?
    var next = tidings_top()
    while let frame = next, frame.pointee.depth <= 0 {
      if !frame.pointee.isComputation { first = frame }
      next = frame.pointee.parent
    }
    guard let first = next ?? first else { return 0 }
    if first.pointee.chain == 0 { UnsafeMutablePointer(mutating: first).pointee.chain = CycleGuard.newChain() }
    return first.pointee.chain
  }

  /// The deliveries under way on this thread, innermost first.
  private struct Stack: Sequence, IteratorProtocol {
    private var rest = tidings_top()
    mutating func next() -> CausalFrame? {
      defer { rest = rest?.pointee.parent }
      return rest?.pointee
    }
  }

  /// Instead of a depth: the closure of a derived value, begun when `validating` nodes were on the validation stack. It causes
  /// nothing.
  @inline(__always)
  static func computation(validating: Int) -> Int { .min &+ validating }
  @inline(__always)
  private var isComputation: Bool { depth < 0 }

  /// Whether this thread is in a delivery, or computes.
  static var isNested: Bool { @inline(__always) get { tidings_top() != nil } }
  static var isComputing: Bool {
    @inline(__always) get { tidings_top().map { $0.pointee.isComputation } ?? false }
  }
  /// The source of the innermost delivery on this thread that is not one by `source`.
  @inline(never)
  static func source(around source: UnsafeRawPointer?) -> UnsafeRawPointer? {
    for frame in Stack() where frame.source != source && !frame.isComputation { return frame.source }
    return nil
  }
  /// What is being computed on this thread, innermost.
  @inline(never)
  static var computing: EventIdentity? {
    for frame in Stack() where frame.isComputation {
      return Unmanaged<EventIdentity>.fromOpaque(frame.source).takeUnretainedValue()
    }
    return nil
  }
  /// Whether anything is being computed on this thread, however deep below.
  @inline(never)
  static var isInComputation: Bool { Stack().contains { $0.isComputation } }
  /// Whether this thread computes the derived value whose identity is at this address.
  @inline(never)
  static func isComputing(at source: UnsafeRawPointer) -> Bool {
    Stack().contains { $0.source == source && $0.isComputation }
  }
  /// The computations under way on this thread, innermost first: the height of the validation stack when each began, and its
  /// name.
  static func forEachComputation(_ body: (_ validating: Int, _ name: String) -> Void) {
    for frame in Stack() where frame.isComputation {
      body(frame.depth - .min, Unmanaged<EventIdentity>.fromOpaque(frame.source)._withUnsafeGuaranteedRef { $0.name })
    }
  }
  /// By hand, as `EventIdentity.chain`.
  @inline(never)
  static func outermostFirst(_ names: [String]) -> [String] {
    var names = names
    for index in 0..<names.count / 2 { names.swapAt(index, names.count - 1 - index) }
    return names
  }

  /// Runs `body` as if nothing were under way on this thread.
  static func outside(_ body: () -> Void) {
    let top = tidings_top()
    tidings_set_top(nil)
    body()
    tidings_set_top(top)
  }

  /// How deep in a chain of causes this thread is; 0 outside every handler.
  @inline(never)
  static var currentDepth: Int {
    var steps = 0
    for frame in Stack() {
      if frame.isComputation { continue }
      steps += max(1, frame.depth)
      if frame.depth != 0 { break }
    }
    return max(steps, DetachedScope.notificationDepth)
  }
  /// Added to the depth of a report: a handler of it begins a chain of its own, and that chain causes no reports.
  static var ofReport: Int { 1 << 30 }
  /// How long a chain of this depth is.
  static func steps(_ depth: Int) -> Int { depth & ~ofReport }

  /// The number of deliveries on this thread's stack.
  static var count: Int { Stack().reduce(0) { count, _ in count + 1 } }

  /// Whether a handler of `source` is running on this thread.
  @inline(never)
  static func contains(_ source: EventIdentity) -> Bool {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    return Stack().contains { $0.source == address }
  }

  /// Whether an emit of `source` further up on this thread destroys what is taken out of its handlers.
  @inline(never)
  static func destroys(for source: EventIdentity) -> Bool {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    return Stack().contains { $0.source == address && $0.destroys != 0 }
  }

  /// The innermost event that delivers.
  static var identity: EventIdentity? {
    tidings_top().map { Unmanaged<EventIdentity>.fromOpaque($0.pointee.source).takeUnretainedValue() }
  }

  /// The names of the events whose handlers are running on this thread, outermost first.
  @inline(never)
  static var names: [String] {
    var names: [String] = []
    for frame in Stack() {
      names.appendUnspecialized(Unmanaged<EventIdentity>.fromOpaque(frame.source)._withUnsafeGuaranteedRef { $0.name })
    }
    return outermostFirst(names)
  }
}

/// A mutex that the thread sanitizer understands.
struct PlatformMutex: ~Copyable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }
  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
  borrowing func lock() { pthread_mutex_lock(mutex) }
  borrowing func unlock() { pthread_mutex_unlock(mutex) }
}

/// Prints a line to standard error.
func complain(_ line: String) {
  // Not `withUTF8`, which takes a kilobyte of every client for strings that are none of Swift's own.
  let line = line + "\n"
  line.withCString { tidings_complain($0, line.utf8.count) }
}

/// The context that this thread keeps, if it has one.
@_alwaysEmitIntoClient @inline(__always)
func keptContext() -> UnsafeMutableRawPointer? { tidings_context() }

/// Keeps a context until the thread ends; then `end` is called with it.
func keepContext(
  _ context: UnsafeMutableRawPointer, until end: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
) {
  tidings_keep_context(context, end)
}

/// Prefetches what is at this address.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer?) { tidings_prefetch(address) }

/// A pause in a spin loop that waits for another thread.
@inline(__always)
func hesitate() {
  #if TIDINGS_EXPLORED
  Seam.scheduler?.spin()
  #else
  tidings_pause()
  #endif
}

/// Whether what nests on this thread has come to the part of its stack that a recursion must leave free.
var isStackUsed: Bool { @inline(__always) get { tidings_is_stack_used() != 0 } }

/// The turn of a writer, see `WriterTurn`. A thread that waits for it parks.
func takeTurn(waiting milliseconds: Int) -> Bool { tidings_take_turn(milliseconds) != 0 }
func endTurn() { tidings_end_turn() }
func awaitTurnEnd(waiting milliseconds: Int) {
  #if TIDINGS_EXPLORED
  Seam.scheduler?.spin()
  #endif
  tidings_await_turn_end(milliseconds)
}

/// Parks the thread while the word is `value`, for a millisecond at most.
func park(on word: UnsafeMutablePointer<Atomic<UInt32>>, while value: UInt32) {
  tidings_park(UnsafeRawPointer(word).assumingMemoryBound(to: UInt32.self), value)
}
func unpark(on word: UnsafeMutablePointer<Atomic<UInt32>>) {
  tidings_unpark(UnsafeRawPointer(word).assumingMemoryBound(to: UInt32.self))
}

/// Parks the thread for some microseconds.
func parkForAMoment() { tidings_rest() }

/// Zeroed words that all threads share.
var clockMemory: UnsafeMutableRawPointer { @inline(__always) get { tidings_clock() } }
var announcementMemory: UnsafeMutableRawPointer { @inline(__always) get { tidings_announcements() } }
var keptMemory: UnsafeMutableRawPointer { @inline(__always) get { tidings_kept() } }
