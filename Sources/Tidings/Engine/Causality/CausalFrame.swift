import Synchronization

/// The innermost delivery or computation under way on this thread.
@inline(__always)
func topFrame() -> UnsafePointer<CausalFrame>? { frameAddress()?.assumingMemoryBound(to: CausalFrame.self) }
@inline(__always)
func setTopFrame(_ frame: UnsafePointer<CausalFrame>?) { setFrameAddress(frame) }

/// One delivery or computation under way on this thread, linked to the one that encloses it. Lives on the stack of its thread.
struct CausalFrame: BitwiseCopyable {
  private let parent: UnsafePointer<CausalFrame>?
  /// The `CausalSource` that delivers or is computed, which the frame does not own.
  private let source: UnsafeRawPointer
  /// How deep in a chain of causes the delivered value is; 0 means one deeper than its parent.
  private let depth: Int
  /// Which causal chain the value belongs to; 0 until something asks.
  private var chain: UInt32
  private let role: Role
  #if DEBUG
  /// Distinguishes the calls of one handler, and the runs of one closure.
  private let call = CausalFrame.newCall()
  #endif

  /// The part of this thread in a call for the source. An enum would be a byte; this and `chain` are written with one instruction.
  struct Role: BitwiseCopyable, Equatable {
    private let bits: UInt32
    /// It delivers, or computes.
    static var delivers: Role { Role(bits: 0) }
    /// An emit that overlaps others and destroys what was taken out meanwhile; those nested in it do not.
    static var destroys: Role { Role(bits: 1) }
    /// It calls one handler, through that handler's own queue: another thread may be delivering.
    static var calls: Role { Role(bits: 2) }
    /// It delivers a value that came through a relay's upstream subscription.
    @inline(__always)
    static func delivers(from origin: UpstreamNumber) -> Role { Role(bits: origin.bits << 2) }
    var origin: UpstreamNumber { UpstreamNumber(bits: bits >> 2) }

    static func == (left: Role, right: Role) -> Bool { left.bits & 3 == right.bits & 3 }
  }
}

extension CausalFrame {
  /// Runs `body` as part of a delivery by `source`. A depth of 0 means: one deeper than what encloses it, in the same chain.
  @inline(__always)
  static func push<R>(
    _ source: CausalSource, depth: Int = 0, chain: UInt32 = 0, as role: Role = .delivers, _ body: () -> R
  ) -> R {
    var frame = CausalFrame(
      parent: topFrame(), source: UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque()), depth: depth,
      chain: chain, role: role)
    // Not `withUnsafeMutablePointer`, which puts a guard on the stack: an emit took 5 instructions of 95 more.
    return _withUnprotectedUnsafeMutablePointer(to: &frame) { here in
      setTopFrame(here)
      defer { setTopFrame(here.pointee.parent) }
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
    var next = topFrame()
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
    private var rest = topFrame()
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
  static var isNested: Bool { @inline(__always) get { topFrame() != nil } }
  static var isComputing: Bool {
    @inline(__always) get { topFrame().map { $0.pointee.isComputation } ?? false }
  }
  /// The source of the innermost delivery on this thread that is not one by `source`.
  @inline(never)
  static func source(around source: UnsafeRawPointer?) -> UnsafeRawPointer? {
    for frame in Stack() where frame.source != source && !frame.isComputation { return frame.source }
    return nil
  }
  /// The innermost computation on this thread.
  @inline(never)
  static var computing: CausalSource? {
    for frame in Stack() where frame.isComputation {
      return frame.causalSource
    }
    return nil
  }
  /// Whether anything is being computed on this thread, however deep below.
  @inline(never)
  static var isInComputation: Bool { Stack().contains { $0.isComputation } }
  /// Whether more than a few computations nest on this thread.
  @inline(never)
  static var isInDeepComputation: Bool { Stack().reduce(0) { $1.isComputation ? $0 + 1 : $0 } >= 4 }
  /// Whether this thread computes the derived value whose identity is at this address.
  @inline(never)
  static func isComputing(at source: UnsafeRawPointer) -> Bool {
    Stack().contains { $0.source == source && $0.isComputation }
  }
  /// The computations under way on this thread, innermost first: the height of the validation stack when each began, and its
  /// name.
  static func forEachComputation(_ body: (_ validating: Int, _ name: String) -> Void) {
    for frame in Stack() where frame.isComputation {
      body(frame.depth - .min, frame.causalSource.name)
    }
  }
  /// Not `reversed()`: slices and views of strings are code of every client.
  @inline(never)
  static func outermostFirst(_ names: [String]) -> [String] {
    var names = names
    for index in 0..<names.count / 2 { names.swapAt(index, names.count - 1 - index) }
    return names
  }

  #if DEBUG
  private static let calls = Synchronization.Atomic<UInt>(0)
  private static func newCall() -> UInt { calls.wrappingAdd(1, ordering: .relaxed).newValue }
  /// The innermost delivery or computation on this thread, as a number that no other has; 0 outside.
  static var currentCall: UInt { topFrame()?.pointee.call ?? 0 }
  /// The address of its source; 0 outside.
  static var currentSource: UInt { UInt(bitPattern: topFrame()?.pointee.source) }
  #endif

  /// Runs `body` as if nothing were under way on this thread.
  static func outside(_ body: () -> Void) {
    let top = topFrame()
    setTopFrame(nil)
    body()
    setTopFrame(top)
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
  static func contains(_ source: CausalSource) -> Bool {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    return Stack().contains { $0.source == address }
  }

  /// Whether an emit of `source` further up on this thread destroys what is taken out of its handlers.
  @inline(never)
  static func destroys(for source: CausalSource) -> Bool {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    return Stack().contains { $0.source == address && $0.role == .destroys }
  }

  /// Whether this thread is delivering for `source`: what is emitted here and now is delivered by this thread, later.
  @inline(never)
  static func delivers(for source: CausalSource) -> Bool {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    return Stack().contains { $0.source == address && $0.role != .calls }
  }

  /// Whether a delivery here needs more than a look at the event: this thread computes, or lacks the stack to nest.
  static var isRestricted: Bool {
    @inline(__always) get { topFrame().map { $0.pointee.isComputation || Trampoline.isNeeded } ?? false }
  }
  /// Whether more than eight frames nest here, so that they may have used up the stack, and not the program around them.
  @inline(never)
  static var isDeep: Bool {
    var next = topFrame()
    for _ in 0..<8 { next = next?.pointee.parent }
    return next != nil
  }
  /// The outermost delivery of this thread that can continue with others before it ends.
  @inline(never)
  static var outermostOwner: CausalSource? {
    var owner: CausalSource?
    for frame in Stack() where frame.role == .delivers && !frame.isComputation && frame.causalSource.canOwnTrampoline {
      owner = frame.causalSource
    }
    return owner
  }

  /// The source of the innermost frame.
  static var innermost: CausalSource? { topFrame().map { $0.pointee.causalSource } }
  private var causalSource: CausalSource { Unmanaged<CausalSource>.fromOpaque(source).takeUnretainedValue() }

  /// The first upstream subscription on the way of the value that is being delivered here.
  static var origin: UpstreamNumber { topFrame().map { $0.pointee.role.origin } ?? .none }

  /// The names of the events whose handlers are running on this thread, outermost first.
  @inline(never)
  static var names: [String] {
    var names: [String] = []
    for frame in Stack() {
      names.appendUnspecialized(frame.causalSource.name)
    }
    return outermostFirst(names)
  }

  /// The names from the last occurrence of `name` on: one round of the cycle, not each of ten thousand.
  @inline(never)
  @_optimize(size)
  static func round(of names: [String], to name: String) -> [String] {
    var labels: [String] = []
    for index in (names.lastIndex(of: name) ?? 0)..<names.count { labels.appendUnspecialized(names[index]) }
    labels.appendUnspecialized(name)
    return labels
  }

  /// The last of the names, joined by arrows, as a report shows them. A loop, as in `round`: slices of strings add 6 KB to every
  /// client.
  @inline(never)
  @_optimize(size)
  static func chain(_ names: [String]) -> String {
    var text = ""
    for index in max(0, names.count - 16)..<names.count {
      if !text.isEmpty { text += " → " }
      text += names[index]
    }
    return text
  }
}
