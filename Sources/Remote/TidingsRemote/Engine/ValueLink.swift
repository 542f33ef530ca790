import Foundation
import Tidings

/// A value's way to its store and back: one task that takes in what the store holds and writes what is local, one step at a
/// time. All decisions are the synchronizer's.
final class ValueLink<Value: Equatable & Sendable>: RelayPart {
  struct State: Sendable {
    var synchronizer: ValueSynchronizer<Value>
    /// Why the local value is not written at present; cleared by the next change on either side.
    var obstacle: TransportError?
    var isClosed = false
  }
  let stage = RelayStage.values
  let state: Observed<State>
  private let key: String
  private let rule: ConflictRule<Value>
  private let schema: Schema<Value>
  private let link: RelayLink
  private let signal: Signal
  private struct Intake {
    /// The newest that the store has reported and the task has not yet taken in.
    var stored: StoredValue??
    var watching: TransportSubscription?
    var trigger: Subscription?
    var working: Task<Void, Never>?
    var part: Int?
    var isDropped = false
    /// The handlers have finished, which may set and settle values while the relay closes.
    var isFinishing = false
  }
  private let intake = Lock(Intake())

  init(_ initial: Value, _ key: String, _ rule: ConflictRule<Value>, _ schema: Schema<Value>, _ link: RelayLink) {
    (self.key, self.rule, self.schema, self.link) = (key, rule, schema, link)
    let signal = Signal()
    self.signal = signal
    state = Observed(State(synchronizer: ValueSynchronizer(initial, writer: link.makeOrigin())), label: key)
    // After a transaction too: what is written in one is sent when it has ended.
    let trigger = state.observe { change in if change.new.synchronizer.needsWrite { signal.ring() } }
    let working = Task.detached { [weak self] in
      while true {
        while let self, !signal.isClosed {
          // Looked up before the step, which then writes everything that was set before.
          let isLast = self.intake.withLock { $0.isFinishing }
          await self.step()
          if isLast { return }
          if !self.state.value.synchronizer.isAhead {
            self.leave()
            break
          }
          await signal.wait()
        }
        if signal.isClosed { return }
        await signal.wait()
        if self == nil { return }
      }
    }
    intake.withLock { ($0.trigger, $0.working) = (trigger, working) }
  }
  deinit { signal.close() }

  func begin() {
    guard let part = link.add(self) else {
      link.fail(.transport("'\(key)': the relay is closed, the value is this process's own"))
      return state.update(isolation: nil) { $0.isClosed = true }
    }
    intake.withLock { $0.part = part }
    do {
      let watching = try link.transport.watch(key) { [weak self] stored in self?.take(stored) }
      intake.withLock { $0.watching = watching }
    } catch { link.fail(error, about: key) }
  }

  private func take(_ stored: StoredValue?) {
    // Reports come in order. One of an older value, or of none, may be that of a store that was emptied.
    intake.withLock { $0.stored = .some(stored) }
    signal.ring()
  }

  /// Takes in what has been reported, then writes until the store is up to date.
  private func step() async {
    var backoff = Backoff()
    var conflicts = 0
    var end: ContinuousClock.Instant?
    repeat {
      takeIn()
      guard state.value.obstacle == nil, let write = nextWrite() else { return }
      do {
        let header = ValueHeader(
          writer: state.value.synchronizer.writer, number: write.number, seen: write.seen, schema: schema.name,
          version: schema.version)
        let body = try header.body(schema.encode(write.value))
        switch try await link.transport.write(body, to: key, expecting: write.expected) {
        case .written(let revision):
          // Not decoded again: what coding rounds would differ from the local value, and be written for ever.
          let writer = state.value.synchronizer.writer
          receive(.init(value: write.value, writer: writer, seen: write.seen, revision: revision))
          (conflicts, backoff) = (0, Backoff())
        case .conflict(let stored):
          receiveConflict(stored)
          if link.isClosing {
            let last = end ?? .now + .seconds(5)
            if .now > last { return stop(.unavailable("'\(key)': other processes keep writing it")) }
            end = last
          }
          // Most writes follow the conflict immediately: after a wait others have written again, and a slow writer would always
          // be too late.
          conflicts += 1
          if conflicts % 8 == 0 { await backoff.wait() }
        }
      } catch TransportError.closed {
        return
      } catch TransportError.unavailable(let reason) {
        // Whether it was written is unknown: the same write is repeated, until a newer revision shows it.
        if link.isClosing { return stop(.unavailable(reason)) }
        link.fail(.transport(reason))
        await backoff.wait()
      } catch {
        link.fail(error, about: key)
        stop(error as? TransportError ?? .rejected("\(error)"))
        return retryLater()
      }
    } while !signal.isClosed
  }

  private func takeIn() {
    let stored = intake.withLock { intake in
      defer { intake.stored = nil }
      return intake.stored
    }
    switch stored {
    case nil: break
    case .some(nil): state.update(isolation: nil) { $0.synchronizer.receiveAbsence() }
    case .some(let stored?): receive(stored)
    }
  }

  /// Nil where this process cannot read it; then it is not overwritten.
  private func decode(_ stored: StoredValue) -> ValueSynchronizer<Value>.Stored? {
    do {
      let (header, body) = try ValueHeader.split(stored.body)
      let value = try schema.decode(body, name: header.schema, version: header.version)
      return .init(value: value, writer: header.writer, seen: header.seen, revision: stored.revision)
    } catch {
      link.fail(.unreadable(subject: key, id: "\(stored.revision)", reason: "\(error)"))
      stop(.rejected("the stored value is unreadable: \(error)"))
      return nil
    }
  }
  private func receive(_ stored: StoredValue) { if let new = decode(stored) { receive(new) } }

  /// The answer to a write: the store is asked no further.
  private func receiveConflict(_ stored: StoredValue?) {
    let new = stored.flatMap(decode)
    if stored != nil, new == nil { return }
    let rule = rule
    let isOlder = state.update(isolation: nil) { state in
      state.obstacle = nil
      return state.synchronizer.receiveConflict(new, rule)
    }
    if isOlder {
      link.fail(
        .transport(
          "'\(key)': the store holds an older value than this process knows, or none; the conflict rule decides"))
    }
  }
  private func receive(_ new: ValueSynchronizer<Value>.Stored) {
    let rule = rule
    state.update(isolation: nil) { state in
      state.obstacle = nil
      state.synchronizer.receive(new, rule)
    }
  }
  private func nextWrite() -> ValueSynchronizer<Value>.Write? {
    state.value.synchronizer.needsWrite ? state.update(isolation: nil) { $0.synchronizer.nextWrite() } : nil
  }
  /// A full disk may have room again, and credentials be changed.
  private func retryLater() {
    Task.detached { [weak self] in
      try? await Task.sleep(for: .seconds(5))
      self?.state.update(isolation: nil) { $0.obstacle = nil }
    }
  }
  private func stop(_ obstacle: TransportError) { state.update(isolation: nil) { $0.obstacle = obstacle } }

  /// The program has dropped the value. The relay keeps this object until its last change is stored.
  func drop() {
    intake.withLock { $0.isDropped = true }
    signal.ring()
  }
  private func leave() {
    let part = intake.withLock { intake in
      defer { if intake.isDropped { intake.part = nil } }
      return intake.isDropped ? intake.part : nil
    }
    if let part { link.remove(part) }
  }

  /// Writes what can be written, and takes in nothing more.
  func finish() async {
    intake.withLock { $0.isFinishing = true }
    signal.ring()
    await intake.withLock { $0.working }?.value
    signal.close()
    // Ended outside the lock: the transport may be reporting, with a lock of its own.
    let watching = intake.withLock { intake in
      defer { intake.watching = nil }
      return intake.watching
    }
    withExtendedLifetime(watching) {}
    state.update(isolation: nil) { $0.isClosed = true }
  }
}
