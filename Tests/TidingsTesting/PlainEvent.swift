import Foundation
import TidingsTesting

/// A plain, slow, obviously right event, and one that can be broken on purpose: the kit must find every fault.
///
/// One lock, an array of handlers, a queue of values. Not the library's and not like it.
final class PlainEvent: @unchecked Sendable {
  enum Fault: CaseIterable {
    case backwards, nestedFirst, receivedByLaterHandlers, pauseIsIgnored, forgetsNested, callsTheCancelled,
      callsOnceTwice
    case reusesNumbers, holdsALock, stopsAtFailures, ignoresDroppedTokens, keepsOwners, keepsCaptures, neverStops
  }

  /// A token that removes a handler.
  final class Token: Sendable {
    let number: Int
    private let isDropped: Bool
    private let remove: @Sendable (Int) -> Void
    let setPaused: @Sendable (Bool) -> Void

    init(_ number: Int, _ event: PlainEvent, endsWhenDropped: Bool) {
      self.number = number
      isDropped = endsWhenDropped
      remove = { [weak event] in event?.remove($0) }
      setPaused = { [weak event] in event?.setPaused($0, number) }
    }

    deinit { if isDropped { cancel() } }

    func cancel() { remove(number) }
  }

  private struct Handler {
    let number: Int
    let isOnce: Bool
    let isAlive: @Sendable () -> Bool
    let call: @Sendable (Int) -> Bool
    var since: Int
    var isPaused = false
  }

  private let fault: Fault?
  private let lock = NSLock()
  /// Held by the broken one while a handler runs. Its own thread may take it again, others wait.
  private let heldLock = NSRecursiveLock()
  private var handlers: [Handler] = []
  private var graveyard: [Handler] = []
  private var queue: [(value: Int, number: Int, depth: Int)] = []
  private var emitted = 0
  private var added = 0
  private var isDelivering = false
  private var deliverer: (thread: UInt, depth: Int)?

  init(_ fault: Fault? = nil) { self.fault = fault }

  /// `call` returns whether it failed.
  func add(
    isOnce: Bool = false, isBound: Bool = false, isAlive: @escaping @Sendable () -> Bool = { true },
    _ call: @escaping @Sendable (Int) -> Bool
  ) -> Token {
    locked {
      added += 1
      let used = Set(handlers.map(\.number))
      let number = fault == .reusesNumbers ? (1...).first { !used.contains($0) } ?? added : added
      handlers.append(Handler(number: number, isOnce: isOnce, isAlive: isAlive, call: call, since: emitted))
      let endsWhenDropped = !isOnce && !isBound && fault != .ignoresDroppedTokens
      return Token(number, self, endsWhenDropped: endsWhenDropped)
    }
  }

  private func remove(_ number: Int) {
    let removed = locked {
      let removed = handlers.filter { $0.number == number }
      handlers.removeAll { $0.number == number }
      if fault == .keepsCaptures { graveyard += removed }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  private func setPaused(_ isPaused: Bool, _ number: Int) {
    locked {
      guard fault != .pauseIsIgnored, let index = handlers.firstIndex(where: { $0.number == number }) else { return }
      // Nothing that was emitted until now is for this handler any more.
      handlers[index].isPaused = isPaused
      handlers[index].since = emitted
    }
  }

  func emit(_ value: Int) {
    let mayDeliver = locked {
      let depth = deliverer?.thread == Threads.current ? (deliverer?.depth ?? 0) + 1 : 0
      if depth > 20, fault != .neverStops { return false }
      queue.append((value, emitted, depth))
      emitted += 1
      if isDelivering, fault != .nestedFirst { return false }
      isDelivering = true
      return true
    }
    if mayDeliver { deliver() }
  }

  private func deliver() {
    while let (value, number, depth) = next() {
      var audience = locked { handlers }
      if fault == .backwards { audience.reverse() }
      for handler in audience where begin(handler, number) {
        let outer = locked {
          defer { deliverer = (Threads.current, depth) }
          return deliverer
        }
        if fault == .holdsALock { heldLock.lock() }
        let isFailed = handler.call(value)
        if fault == .holdsALock { heldLock.unlock() }
        locked { deliverer = outer }
        if isFailed, fault == .stopsAtFailures { break }
      }
      if fault == .forgetsNested { locked { queue = [] } }
    }
  }

  private func next() -> (value: Int, number: Int, depth: Int)? {
    locked {
      guard !queue.isEmpty else {
        isDelivering = false
        return nil
      }
      return fault == .nestedFirst ? queue.removeLast() : queue.removeFirst()
    }
  }

  private func begin(_ handler: Handler, _ number: Int) -> Bool {
    guard handler.isAlive() else {
      remove(handler.number)
      return false
    }
    let current = locked { handlers.first { $0.number == handler.number } }
    guard let current else { return fault == .callsTheCancelled }
    guard fault == .receivedByLaterHandlers || !current.isPaused && current.since <= number else { return false }
    if handler.isOnce, fault != .callsOnceTwice { remove(handler.number) }
    return true
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    if fault == .holdsALock { heldLock.lock() }
    defer { if fault == .holdsALock { heldLock.unlock() } }
    return lock.withLock(body)
  }
}
