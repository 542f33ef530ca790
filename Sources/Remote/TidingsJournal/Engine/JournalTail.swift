#if SQLite
import Foundation
import TidingsRemote
import Tidings

/// Receives for this process from the file: one task reads what has been written since it last looked, for all subscribers.
final class JournalTail: Sendable {
  private struct Watcher {
    let key: String
    var isInformed = false
    let receive: @Sendable (StoredValue?) -> Void
  }
  private struct Weak { weak let signal: Signal? }
  private struct State {
    var isClosed = false
    var report: (@Sendable (TransportReport) -> Void)?
    var next = 0
    var subscribers: [Int: JournalSubscriber] = [:]
    var change: Int64 = 0
    /// The extent at the opening, then at the last look.
    var extent: JournalStore.Extent
    /// Whether half a second is over since the store was last looked at.
    var isLookDue = true
    var watchers: [Int: Watcher] = [:]
    /// With what has been read since.
    var known: JournalStore.Extent {
      JournalStore.Extent(
        identity: extent.identity, count: extent.count,
        sequence: max(extent.sequence, subscribers.values.map(\.last).max() ?? 0),
        change: max(extent.change, change), time: extent.time)
    }
    var signals: [Weak] = []
    var reading: Task<Void, Never>?
    var ticking: Task<Void, Never>?
  }
  private let state: Lock<State>
  private let signal = Signal()
  private let store: JournalStore
  private let bell: WakePipe

  init(_ store: JournalStore, _ bell: WakePipe) {
    (self.store, self.bell) = (store, bell)
    state = Lock(State(extent: store.first))
  }

  func open(_ report: @escaping @Sendable (TransportReport) -> Void) {
    bell.listen { [weak self] in
      guard let self, !isClosed else { return false }
      wake()
      return true
    }
    // Before the first look, which may have something to report.
    state.withLock { $0.report = report }
    let signal = signal
    let reading = Task.detached { [weak self] in
      while !signal.isClosed {
        await self?.read()
        await signal.wait()
      }
    }
    let ticking = Task.detached { [weak self] in
      while (try? await Task.sleep(for: .milliseconds(500))) != nil { self?.look() }
    }
    state.withLock { ($0.reading, $0.ticking) = (reading, ticking) }
  }
  deinit {
    signal.close()
    state.withLock { $0.ticking }?.cancel()
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }
  func checkOpen() throws { if isClosed { throw TransportError.closed } }
  func report(_ report: TransportReport) { state.withLock { $0.report }?(report) }

  /// This process has written.
  func changed() {
    wake()
    bell.wakeOthers()
  }
  private func look() {
    do { try bell.make() } catch { report(.failure(.transport("\(error)"))) }
    state.withLock { $0.isLookDue = true }
    wake()
  }
  private func wake() {
    signal.ring()
    let signals = state.withLock { state in
      state.signals.removeAll { $0.signal == nil }
      return state.signals
    }
    for weak in signals { weak.signal?.ring() }
  }

  /// Signalled at every change, for as long as it is retained.
  func makeSignal() -> Signal {
    let signal = Signal()
    state.withLock { $0.signals.append(Weak(signal: signal)) }
    return signal
  }
  func ring(_ signal: Signal, after delay: Duration) {
    Task.detached { [weak signal] in
      try? await Task.sleep(for: delay)
      signal?.ring()
    }
  }

  func subscribe(
    _ subject: String, after end: (sequence: Int64, place: Int64?), marking missed: (@Sendable (Int?) -> Void)?,
    _ receive: @escaping @Sendable ([RemoteMessage]) -> TransportDemand
  ) -> TransportSubscription {
    let id = state.withLock { state in
      state.next += 1
      state.subscribers[state.next] = JournalSubscriber(
        subject: subject, last: end.sequence, place: end.place, missed: missed, receive: receive)
      return state.next
    }
    // Something may have been written since its position was looked up.
    signal.ring()
    return TransportSubscription { [weak self] in
      self?.resume(id)
    } _: { [weak self] in
      _ = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
    }
  }

  private func resume(_ id: Int) {
    state.withLock { $0.subscribers[id]?.isPaused = false }
    signal.ring()
  }

  func watch(_ key: String, _ receive: @escaping @Sendable (StoredValue?) -> Void) -> TransportSubscription {
    let id = state.withLock { state in
      state.next += 1
      state.watchers[state.next] = Watcher(key: key, receive: receive)
      return state.next
    }
    signal.ring()
    return TransportSubscription { [weak self] in
      _ = self?.state.withLock { $0.watchers.removeValue(forKey: id) }
    }
  }

  func close() async {
    let (reading, ticking, signals) = state.withLock { state in
      state.isClosed = true
      return (state.reading, state.ticking, state.signals)
    }
    ticking?.cancel()
    signal.close()
    for weak in signals { weak.signal?.close() }
    await reading?.value
    // A look that is under way makes the pipe again.
    await ticking?.value
  }

  // MARK: Reading
  private func read() async {
    do {
      let isLook = try await lookAtStore()
      while !isClosed, try await readMessages() {}
      if isLook { try await markRemoved() }
      try await readValues()
    } catch TransportError.closed {
    } catch { report(.failure(.transport("\(error)"))) }
  }

  /// Begins anew if the store is a different or an older one than before, in which positions mean nothing.
  ///
  /// - Returns: Whether it has looked, which it does every half second.
  private func lookAtStore() async throws -> Bool {
    var (isDue, known) = state.withLock { state in (state.isLookDue && !state.isClosed, state.known) }
    guard isDue else { return false }
    known.sequence = max(known.sequence, store.knownSequence)
    var new = try await store.extent()
    let isOther = known.count != new.count || known.identity.messages != new.identity.messages
    let isOlder = new.sequence < known.sequence
    let hasOldValues = known.identity.values != new.identity.values || new.change < known.change
    if isOther || isOlder || hasOldValues {
      // Messages that were stored since the last look have been given to no handler. Where only values are older, each has.
      let position = isOther || isOlder ? try await store.position(before: known.time) : nil
      state.withLock { state in
        if let position {
          for (id, subscriber) in state.subscribers {
            state.subscribers[id]?.last = position
            state.subscribers[id]?.place = nil
            subscriber.missed?(nil)
          }
        }
        for id in state.watchers.keys { state.watchers[id]?.isInformed = false }
        state.change = 0
      }
      new.identity =
        if position != nil {
          try await store.adopt(insteadOf: known.identity)
        } else {
          try await store.adoptValues(insteadOf: known.identity)
        }
      let what =
        if position == nil {
          "older values than before, or none, are in"
        } else {
          "\(known.count != new.count ? "another" : "an older or emptied") file than before is at"
        }
      let effect = position == nil ? "" : "; messages may be missed"
      report(.failure(.transport("journal: \(what) '\(store.path)'\(effect)")))
    }
    state.withLock { [new] in ($0.extent, $0.isLookDue) = (new, false) }
    if isOther || isOlder || hasOldValues { wake() }
    return true
  }

  /// Gives marks for messages that retention has removed, where none comes after them.
  private func markRemoved() async throws {
    let waiting = state.withLock { $0.subscribers.filter { $0.value.missed != nil && !$0.value.isPaused } }
    for (id, subscriber) in waiting {
      guard let removed = try await store.removedPlace(of: subscriber.subject, unlessAfter: subscriber.last) else {
        continue
      }
      state.withLock { state in
        // It may have ended or paused meanwhile. Only this task reads, so it has been given nothing.
        guard let current = state.subscribers[id], !current.isPaused, let place = current.place, removed > place
        else { return }
        current.missed?(Int(clamping: removed - place))
        state.subscribers[id]?.place = removed
      }
    }
  }

  /// One batch, from where the subscriber is that has been given least; whether there may be more. A paused one does not count:
  /// the others do not read again, each time it is resumed, all that it has yet to be given.
  private func readMessages() async throws -> Bool {
    let limit = 2_048
    guard let position = first else { return false }
    let messages = try await store.messages(after: position, limit: limit)
    let last = messages.last.map { Int64($0.sequence) }
    let bySubject = Dictionary(grouping: messages, by: \.subject)
    state.withLock { state in
      guard let last else { return }
      // One that was resumed or came meanwhile may be before what has been read: it is given that with the next batch.
      for (id, subscriber) in state.subscribers where !subscriber.isPaused && subscriber.last >= position {
        let own = (bySubject[subscriber.subject] ?? []).drop { Int64($0.sequence) <= subscriber.last }
        var current = subscriber
        current.take(own)
        current.last = max(subscriber.last, last)
        state.subscribers[id] = current
      }
    }
    return messages.count == limit || first.map { $0 < last ?? position } ?? false
  }
  /// The position of the subscriber that has been given least; nil if none takes messages.
  private var first: Int64? {
    state.withLock { state in state.subscribers.values.lazy.filter { !$0.isPaused }.map(\.last).min() }
  }

  private func readValues() async throws {
    let (change, watched, new) = state.withLock { state in
      (
        state.change, Set(state.watchers.values.map(\.key)),
        Set(state.watchers.values.filter { !$0.isInformed }.map(\.key))
      )
    }
    guard !watched.isEmpty else { return }
    let (changed, last) = try await store.keys(changedAfter: change)
    for key in changed.intersection(watched).union(new) {
      let value: StoredValue?
      do { value = try await store.value(key) } catch TransportError.rejected(let reason) {
        // Another program has written it; the other values are read.
        report(.failure(.transport(reason)))
        continue
      }
      state.withLock { state in
        for (id, watcher) in state.watchers where watcher.key == key {
          watcher.receive(value)
          state.watchers[id]?.isInformed = true
        }
      }
    }
    state.withLock { $0.change = last }
  }
}
#endif
