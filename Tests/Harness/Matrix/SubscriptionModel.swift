/// The contract of one subscription.
final class SubscriptionModel {
  let kind: HandlerKind
  let number: Int
  let line: Line
  /// Whether emissions that overlap at the source overlap here.
  let overlaps: Bool
  /// Done in the next call.
  let act: (Call) -> Void
  private(set) var entries: [Entry] = []
  private(set) var waiting: [Item] = []
  private(set) var running: Item?
  private(set) var isCancelled = false
  var isPaused = false { didSet { if isPaused { drop { _ in true } } } }
  var ownerIsReleased = false
  private var isUsed = false
  private var calls: [Item] = []
  private var postponed: [Item] = []

  init(_ kind: HandlerKind, _ number: Int, _ line: Line, overlaps: Bool, act: @escaping (Call) -> Void) {
    (self.kind, self.number, self.line, self.overlaps, self.act) = (kind, number, line, overlaps, act)
  }

  var isActive: Bool { !isCancelled && !line.hasEnded }
  var loopHasEnded: Bool { kind.place == .stream && !isActive && waiting.isEmpty && running == nil }
  /// The values that were received and have not been handled. A stream has handled what its buffer holds.
  var unhandled: [Item] { kind.place == .stream ? [] : calls + postponed + waiting + called }
  /// The call that is running.
  var called: [Item] { kind.place == .stream ? [] : calls + (running.map { [$0] } ?? []) }

  /// - Parameter isOnActor: Whether the caller is on the handler's actor.
  func receive(_ item: Item, isOnActor: Bool) {
    if ownerIsReleased, waiting.isEmpty, calls.isEmpty, running == nil { cancel() }
    if isCancelled { return item.drop() }
    switch kind.place {
    case .inPlace:
      if calls.isEmpty || overlaps { call(item) } else { postponed.append(item) }
    case .actor where isOnActor:
      run()
      call(item)
    default:
      if waiting.count >= kind.limit.count {
        if !kind.limit.keepsNewest { return item.drop() }
        waiting.removeFirst().drop()
      }
      waiting.append(item)
    }
  }

  /// Makes the calls that wait, up to one that is suspended.
  func run() { while running == nil, !waiting.isEmpty { call(waiting.removeFirst()) } }

  private func call(_ item: Item) {
    if isCancelled && kind.place == .inPlace { return item.drop() }
    // A value that waits for an actor retains it.
    if ownerIsReleased, kind != .onOwnerActor, kind != .onceOnOwnerActor {
      item.drop()
      return cancel()
    }
    if kind.isOnce {
      if isUsed { return item.drop() }
      isUsed = true
      cancel()
    }
    entries.append(.begin(item.call))
    if kind.isSuspended {
      running = item
      act(item.call)
    } else {
      calls.append(item)
      act(item.call)
      calls.removeLast()
      end(item)
      while !postponed.isEmpty && calls.isEmpty { call(postponed.removeFirst()) }
    }
  }
  private func end(_ item: Item) {
    entries.append(.end(item.call))
    item.finish(at: entries.count)
  }
  func release() {
    guard let item = running else { return }
    running = nil
    end(item)
  }

  func cancel() {
    isCancelled = true
    drop { _ in true }
  }
  func drop(where isDropped: (Item) -> Bool) {
    for item in waiting + postponed where isDropped(item) { item.drop() }
    waiting.removeAll(where: isDropped)
    postponed.removeAll(where: isDropped)
  }
}
