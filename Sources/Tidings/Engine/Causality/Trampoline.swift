/// The deliveries that wait for the outermost one of their thread, since the stack was nearly used up where they were emitted.
///
/// A handler that emits another event calls the handlers of that event in place, so a chain of many events would take any stack.
/// The outermost delivery continues with the waiting events when its handler has returned. A value that is emitted on the thread
/// until then waits as well: otherwise it would be delivered before values that were emitted earlier.
final class Trampoline {
  private unowned(unsafe) let owner: CausalSource  // which delivers until this is empty
  private var waiting = Waiting()

  private init(_ owner: CausalSource) { self.owner = owner }

  /// Whether a delivery that nests is to wait.
  static var isNeeded: Bool { @inline(__always) get { isStackUsed || trampolineAddress() != nil } }

  /// False if no delivery in progress on this thread can run the trampoline. Also false if too few frames nest here to have used the
  /// stack: waiting would not help.
  static var isAvailable: Bool { current != nil || CausalFrame.isDeep && CausalFrame.outermostOwner != nil }
  private static var current: Trampoline? {
    trampolineAddress().map { Unmanaged<Trampoline>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Leaves to the trampoline, which is available, what waits in the queue of `source`.
  static func add(_ source: CausalSource) {
    if current == nil, let owner = CausalFrame.outermostOwner {
      owner.ownTrampoline()
      setTrampolineAddress(Unmanaged.passRetained(Trampoline(owner)).toOpaque())
    }
    current?.waiting.append(source)
  }

  /// Whether `owner` is to continue with something.
  @inline(__always)
  static func waits(for owner: CausalSource) -> Bool { current?.owner === owner }

  /// Delivers what waits, one event after the other. What a delivery here leaves to the trampoline in turn comes before what has
  /// waited longer, as if all had been delivered in place.
  static func run(by owner: CausalSource, _ here: (any Actor)?) {
    var rest = Waiting()
    while true {
      if let current, current.owner === owner {
        rest.prepend(current.waiting.take())
        setTrampolineAddress(nil)
        Unmanaged.passUnretained(current).release()
      }
      guard let next = rest.takeFirst() else { return }
      next.deliverPostponed(here)
    }
  }
}

/// A queue of sources, as a linked list: an array would be specialized code of every client.
private struct Waiting {
  private final class QueuedSource {
    let source: CausalSource
    var next: QueuedSource?
    init(_ source: CausalSource) { self.source = source }
  }
  private var first: QueuedSource?
  private var last: QueuedSource?

  mutating func append(_ source: CausalSource) {
    let link = QueuedSource(source)
    if let last { last.next = link } else { first = link }
    last = link
  }
  mutating func prepend(_ other: Waiting) {
    guard let end = other.last else { return }
    end.next = first
    if last == nil { last = end }
    first = other.first
  }
  mutating func take() -> Waiting {
    defer { self = Waiting() }
    return self
  }
  mutating func takeFirst() -> CausalSource? {
    guard let link = first else { return nil }
    first = link.next
    if first == nil { last = nil }
    return link.source
  }
}
