import Tidings
import TidingsTesting

/// A handler that is added and cancelled while others emit, and what it may have received.
final class RandomHandler: @unchecked Sendable {
  enum Kind: CaseIterable {
    case plain, owned, viewed, onActor
  }

  let event: Int
  private var isPaused = false
  private let kind: Kind
  private let thread: Int
  /// The last value that its thread had emitted on the event when it was added: not for it.
  private let since: Int
  private let received = Recorder<Int>()
  private let isFinished = Locked(false)
  private let late = Locked(0)
  /// How many calls it had had when `cancel()` returned.
  private var receivedAtCancel: Int?
  private var wasPaused = false
  /// What its thread emitted while it was paused: not for it either.
  private var missed: Set<Int> = []
  private let token = Locked<Subscription?>(nil)
  private var owner: Owner?

  init(_ kind: Kind, _ source: Event<Int>, _ event: Int, thread: Int, since: Int, _ canaries: Canaries) {
    self.event = event
    self.kind = kind
    self.thread = thread
    self.since = since
    let (received, isFinished, late) = (received, isFinished, late)
    let call: @Sendable (Int) -> Void = { [canary = canaries.make()] value in
      canary.touch()
      if isFinished.current { late.withLock { $0 += 1 } }
      received(value)
    }
    switch kind {
    case .plain: token.current = source.observe(call)
    case .viewed: token.current = source.compactMap { $0 }.map { $0 }.observe(call)
    case .onActor: token.current = source.observe(with: Self.listener) { _, value in call(value) }
    case .owned:
      let owner = Owner()
      self.owner = owner
      token.current = source.observe(with: owner) { _, value in call(value) }
    }
  }

  private static let listener = Listener()

  func cancel() {
    guard receivedAtCancel == nil else { return }
    token.current?.cancel()
    receivedAtCancel = received.values.count
  }

  func finish() async {
    await token.current?.finish()
    isFinished.current = true
  }

  func pauseOrResume() {
    if isPaused { token.current?.resume() } else { token.current?.pause() }
    isPaused.toggle()
    wasPaused = true
  }

  func endOwner() { owner = nil }

  /// Its own thread has emitted a value on its event.
  func noteOwn(_ value: Int) { if isPaused { missed.insert(value) } }

  func differences(from all: [Int]) -> [String] {
    let values = received.values
    var differences: [String] = []
    func expect(_ condition: Bool, _ what: String) {
      if !condition {
        differences.append(
          "a handler (\(kind)) of event \(event) of thread \(thread), added after \(since), received \(what): \(values.prefix(20))"
        )
      }
    }
    expect(late.current == 0, "something after `finish`")
    if let receivedAtCancel {
      expect(values.count <= receivedAtCancel + 1, "more than what was running after `cancel`")
    }
    expect(values.allSatisfy { !isOwn($0) || $0 > since }, "what had been emitted before it was added")
    expect(values.allSatisfy { !missed.contains($0) }, "what was emitted in its pause")
    if let first = values.first, let start = all.firstIndex(of: first), !wasPaused {
      expect(Array(all[start...].prefix(values.count)) == values, "not a piece of what all received")
    } else {
      var rest = all[...]
      let isPart = values.allSatisfy { value in
        guard let index = rest.firstIndex(of: value) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
      expect(isPart, "something in another order than all")
    }
    return differences
  }

  private func isOwn(_ value: Int) -> Bool { value >= 0 && value < 100_000_000 && value / 1_000_000 == thread }
}
