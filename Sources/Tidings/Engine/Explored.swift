// The seam of the interleaving explorer, in builds with TIDINGS_EXPLORED alone: every atomic and every lock of the engine asks
// the scheduler before it acts, so that the scheduler decides which thread continues. In all other builds `Atomic` is that of
// the standard library, and nothing of this exists.
#if TIDINGS_EXPLORED
import Synchronization

/// Decides which of the threads it knows continues. Threads that it does not know are let through.
package protocol InterleavingScheduler: AnyObject, Sendable {
  /// The thread is about to read or write memory that others read or write.
  func reach()
  /// Returns when the thread has the lock.
  func acquire(_ lock: UInt)
  func release(_ lock: UInt)
  /// The thread can do nothing until another has done something.
  func spin()
  /// The thread has stored something that other threads need not see yet: the scheduler may take it back while others run.
  func store(at address: UInt, isRelease: Bool, undo: @escaping () -> Void, redo: @escaping () -> Void)
  /// The thread's earlier stores become visible before its next ones.
  func orderStores()
  /// All threads see what the thread has stored, or what it has stored at an address.
  func publishStores()
  func publishStores(at address: UInt)
  /// Runs what the engine starts as a task of its own.
  var executor: any TaskExecutor { get }
}

package enum Seam {
  /// Set once, before any thread is explored.
  nonisolated(unsafe) package static var scheduler: (any InterleavingScheduler)?
  /// The lock that the turn of a writer is, beside those that have an address.
  static var turn: UInt { 1 }
  /// How often a write fails before its thread takes the turn: a scenario about the turn has no time for eight attempts. Changed
  /// while no thread runs.
  nonisolated(unsafe) package static var optimisticAttempts = 8
}

/// Shadows the type of the standard library in this module. The accesses themselves are sequentially consistent. What a weaker
/// ordering allows is explored for stores: another thread may run before it sees them, see `Interleaver`.
@usableFromInline
package struct Atomic<Value: ExploredValue>: ~Copyable, @unchecked Sendable {  // nothing in it but the atomic
  private let value: Synchronization.Atomic<Value>

  @usableFromInline package init(_ initial: consuming Value) { value = Synchronization.Atomic(initial) }

  private func reach() { Seam.scheduler?.reach() }

  @usableFromInline
  package func load(ordering: AtomicLoadOrdering) -> Value {
    reach()
    return Value.load(value)
  }
  @usableFromInline
  package func store(_ new: consuming Value, ordering: AtomicStoreOrdering) {
    reach()
    guard let scheduler = Seam.scheduler else { return Value.store(value, new) }
    if ordering == .sequentiallyConsistent {
      Value.store(value, new)
      return scheduler.publishStores()
    }
    let new = new
    withUnsafePointer(to: value) { pointer in
      let old = Value.load(pointer.pointee)
      Value.store(pointer.pointee, new)
      nonisolated(unsafe) let pointer = pointer  // one thread runs at a time
      scheduler.store(
        at: UInt(bitPattern: pointer), isRelease: ordering == .releasing,
        undo: { Value.store(pointer.pointee, old) }, redo: { Value.store(pointer.pointee, new) })
    }
  }
  /// Before a read-modify-write: one that is no release lets earlier stores be seen later, but for those of its own address.
  private func reach(_ ordering: AtomicUpdateOrdering) {
    reach()
    guard let scheduler = Seam.scheduler else { return }
    if ordering == .relaxed || ordering == .acquiring {
      withUnsafePointer(to: value) { scheduler.publishStores(at: UInt(bitPattern: $0)) }
    } else {
      scheduler.publishStores()
    }
  }
  @usableFromInline
  package func exchange(_ new: consuming Value, ordering: AtomicUpdateOrdering) -> Value {
    reach(ordering)
    return Value.exchange(value, new)
  }
  @usableFromInline
  package func compareExchange(expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering) -> (
    exchanged: Bool, original: Value
  ) {
    reach(ordering)
    return Value.compareExchange(value, expected, desired)
  }
  @usableFromInline
  package func compareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    reach(successOrdering)
    return Value.compareExchange(value, expected, desired)
  }
  @usableFromInline
  package func weakCompareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    reach(successOrdering)
    return Value.compareExchange(value, expected, desired)
  }
}

extension Atomic where Value: FixedWidthInteger {
  /// Changes the value by a function of the old one, as one step.
  private func update(_ ordering: AtomicUpdateOrdering, _ change: (Value) -> Value) -> (
    oldValue: Value, newValue: Value
  ) {
    reach(ordering)
    while true {
      let old = Value.load(value)
      let new = change(old)
      if Value.compareExchange(value, old, new).exchanged {
        return (old, new)
      }
    }
  }
  @usableFromInline @discardableResult
  package func add(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 + operand }
  }
  @usableFromInline @discardableResult
  package func subtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 - operand }
  }
  @usableFromInline @discardableResult
  package func wrappingAdd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 &+ operand }
  }
  @usableFromInline @discardableResult
  package func wrappingSubtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value)
  {
    update(ordering) { $0 &- operand }
  }
  @usableFromInline @discardableResult
  package func bitwiseOr(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 | operand }
  }
  @usableFromInline @discardableResult
  package func bitwiseAnd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 & operand }
  }
  @usableFromInline @discardableResult
  package func bitwiseXor(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update(ordering) { $0 ^ operand }
  }
  @usableFromInline @discardableResult
  package func max(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update(ordering) { Swift.max($0, operand) }
  }
}

/// Shadows that of the standard library.
@usableFromInline
package func atomicMemoryFence(ordering: AtomicUpdateOrdering) {
  Synchronization.atomicMemoryFence(ordering: ordering)
  if ordering == .sequentiallyConsistent {
    Seam.scheduler?.publishStores()
  } else if ordering != .acquiring {
    Seam.scheduler?.orderStores()
  }
}

/// A value that an `Atomic` here may hold. The standard library has its atomic operations for given sizes, not for any value.
@usableFromInline
package protocol ExploredValue: AtomicRepresentable, BitwiseCopyable, Equatable {
  static func load(_ atomic: borrowing Synchronization.Atomic<Self>) -> Self
  static func store(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self)
  static func exchange(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self) -> Self
  static func compareExchange(_ atomic: borrowing Synchronization.Atomic<Self>, _ expected: Self, _ desired: Self) -> (
    exchanged: Bool, original: Self
  )
}

extension ExploredValue where AtomicRepresentation == UInt.AtomicRepresentation {
  @usableFromInline
  package static func load(_ atomic: borrowing Synchronization.Atomic<Self>) -> Self {
    atomic.load(ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func store(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self) {
    atomic.store(new, ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func exchange(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self) -> Self {
    atomic.exchange(new, ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func compareExchange(
    _ atomic: borrowing Synchronization.Atomic<Self>, _ expected: Self, _ desired: Self
  ) -> (exchanged: Bool, original: Self) {
    atomic.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }
}

extension ExploredValue where AtomicRepresentation == UInt32.AtomicRepresentation {
  @usableFromInline
  package static func load(_ atomic: borrowing Synchronization.Atomic<Self>) -> Self {
    atomic.load(ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func store(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self) {
    atomic.store(new, ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func exchange(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self) -> Self {
    atomic.exchange(new, ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func compareExchange(
    _ atomic: borrowing Synchronization.Atomic<Self>, _ expected: Self, _ desired: Self
  ) -> (exchanged: Bool, original: Self) {
    atomic.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }
}

extension ExploredValue where AtomicRepresentation == UInt8.AtomicRepresentation {
  @usableFromInline
  package static func load(_ atomic: borrowing Synchronization.Atomic<Self>) -> Self {
    atomic.load(ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func store(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self) {
    atomic.store(new, ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func exchange(_ atomic: borrowing Synchronization.Atomic<Self>, _ new: Self) -> Self {
    atomic.exchange(new, ordering: .sequentiallyConsistent)
  }
  @usableFromInline
  package static func compareExchange(
    _ atomic: borrowing Synchronization.Atomic<Self>, _ expected: Self, _ desired: Self
  ) -> (exchanged: Bool, original: Self) {
    atomic.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
  }
}

extension UInt: ExploredValue {}
extension Int: ExploredValue {}
extension Int32: ExploredValue {}
extension UInt32: ExploredValue {}
extension UInt8: ExploredValue {}
extension Bool: ExploredValue {}
#endif
