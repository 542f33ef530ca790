/// What calling costs and nothing else: the closures, in a row, never retained, never looked at.
///
/// No library can be faster, and none may omit so much: nothing here could be cancelled, nor added while it calls. Where a
/// machine's calls are expensive and its atomics cheap, this and not the closure array is the floor that stops a ratio.
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
