public import Tidings

/// A value that processes share: the last one written is kept by the relay's store.
///
/// ```swift
/// let stock = relay.value("stock.a", initially: 0, conflict: .merge { base, mine, theirs in theirs + mine - base })
/// stock.update { $0 -= 1 }
/// try await stock.settle()
/// ```
///
/// A change is readable and its handlers are notified immediately, as with any ``/Tidings/Observed``; it is stored as soon as
/// it can be, also while no reference keeps this object. What other processes store arrives as further changes. Where both have
/// changed the value, the ``ConflictRule`` decides. Values in between may be passed over, here and in other processes; the
/// last one never, and no process returns to an older one.
///
/// It is a ``/Tidings/ValueSource``: `chain`, `Derived`, `transaction` and streams work on it. A transaction makes its changes
/// appear together in this process; in the store each value is written by itself, so what belongs together is one value.
public final class RelayedValue<Value: Equatable & Sendable>: ValueSource {
  private let link: ValueLink<Value>
  let local: Derived<Value>
  private let settling: Derived<Settling>
  private enum Settling: Equatable {
    case settled, pending
    case impossible(TransportError)
  }
  /// Whether the store holds this process's value, as far as is known here. False until the store has answered.
  public let isSettled: Derived<Bool>

  init(_ initial: Value, _ key: String, _ rule: ConflictRule<Value>, _ schema: Schema<Value>, _ relay: RelayLink) {
    let link = ValueLink(initial, key, rule, schema, relay)
    self.link = link
    let state = link.state
    local = Derived(key) { state.value.synchronizer.local }
    isSettled = Derived(key + ".isSettled") { state.value.synchronizer.isSettled }
    settling = Derived(key + ".settling") {
      let state = state.value
      if state.synchronizer.isSettled { return .settled }
      if let obstacle = state.obstacle { return .impossible(obstacle) }
      return state.isClosed ? .impossible(.closed) : .pending
    }
    link.begin()
  }
  deinit { link.drop() }

  /// The value now, with this process's own changes.
  ///
  /// - Complexity: O(1) if nothing changed since the last read.
  public var value: Value { local.value }
  public var reader: ValueReader<Value> { local.reader }
  public func attach(
    _ handler: EventHandler<Change<Value>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    local.attach(handler, sendingInitial: sendingInitial, isolation: isolation)
  }

  /// The store's revision of the value that this process last received or wrote; 0 before the first. It decreases only
  /// where a store was emptied or restored: then this process begins anew, reports that, and the ``ConflictRule`` decides.
  public var revision: UInt64 { link.state.value.synchronizer.revision }

  /// Makes `new` the value, and notifies every handler, as `Observed.set` does.
  ///
  /// - Parameters:
  ///   - new: The value.
  ///   - isolation: The caller's actor by default; do not pass it.
  public func set(_ new: Value, isolation: isolated (any Actor)? = #isolation) {
    update(isolation: isolation) { $0 = new }
  }

  /// Changes the value in place; no write of this process is lost between reading and writing, as with `Observed.update`.
  ///
  /// Among processes the ``ConflictRule`` says what becomes of simultaneous changes.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor by default; do not pass it.
  ///   - body: Changes the value. It may run more than once and has no other effect.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; then nothing is changed.
  @discardableResult
  public func update<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ body: @escaping (inout Value) throws(E) -> R
  ) throws(E) -> R {
    try link.state.update(isolation: isolation) { (state: inout ValueLink<Value>.State) throws(E) -> R in
      // A value that could not be read at first is still in the store.
      if state.synchronizer.isInformed { state.obstacle = nil }
      return try state.synchronizer.edit(body)
    }
  }

  /// Returns when the store holds this process's value.
  ///
  /// While the store cannot be reached it waits. Changes that are made meanwhile are waited for too.
  ///
  /// - Throws: ``TransportError`` if the store rejects the value or the relay is closed; `CancellationError`.
  public func settle() async throws {
    for await state in settling.stream(.latest) {
      switch state {
      case .settled: return
      case .impossible(let reason): throw reason
      case .pending: continue
      }
    }
    throw Task.isCancelled ? CancellationError() : TransportError.closed as any Error
  }
}
