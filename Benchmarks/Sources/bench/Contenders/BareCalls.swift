/// The cost of the calls and nothing else: the closures are called in a row, never retained and never checked.
///
/// No library can be faster, and none may omit as much: no handler can be cancelled here, or added during a call. On a machine with
/// expensive calls and cheap atomics, the floor of a ratio is this contender and not the closure array.
final class BareCalls: Contender, @unchecked Sendable {
  static let name = "bare calls"
  private final class Handler {
    let call: (Int) -> Void
    init(_ call: @escaping (Int) -> Void) { self.call = call }
  }
  private var handlers = UnsafeMutablePointer<Unmanaged<Handler>>.allocate(capacity: 4)
  private var count = 0
  private var capacity = 4

  func subscribe(_ tally: Tally) {
    if count == capacity {
      let wider = UnsafeMutablePointer<Unmanaged<Handler>>.allocate(capacity: capacity * 2)
      wider.moveInitialize(from: handlers, count: count)
      handlers.deallocate()
      (handlers, capacity) = (wider, capacity * 2)
    }
    (handlers + count).initialize(to: .passRetained(Handler { tally.add($0) }))
    count += 1
  }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { emit(payload) }
  }

  @inline(never)
  private func emit(_ payload: Int) {
    let (handlers, count) = (handlers, count)
    for index in 0..<count { handlers[index]._withUnsafeGuaranteedRef { $0.call(payload) } }
  }

  deinit {
    for index in 0..<count { handlers[index].release() }
    handlers.deallocate()
  }
}
