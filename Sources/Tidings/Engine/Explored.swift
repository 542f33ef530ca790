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
  /// Runs what the engine starts as a task of its own.
  var executor: any TaskExecutor { get }
}

package enum Seam {
  /// Set once, before any thread is explored.
  nonisolated(unsafe) package static var scheduler: (any InterleavingScheduler)?
}

/// Shadows the type of the standard library in this module. All accesses are sequentially consistent: what only a weaker
/// ordering allows is not explored.
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
    Value.store(value, new)
  }
  @usableFromInline
  package func exchange(_ new: consuming Value, ordering: AtomicUpdateOrdering) -> Value {
    reach()
    return Value.exchange(value, new)
  }
  @usableFromInline
  package func compareExchange(expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering) -> (
    exchanged: Bool, original: Value
  ) {
    reach()
    return Value.compareExchange(value, expected, desired)
  }
  @usableFromInline
  package func compareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    reach()
    return Value.compareExchange(value, expected, desired)
  }
  @usableFromInline
  package func weakCompareExchange(
    expected: consuming Value, desired: consuming Value, successOrdering: AtomicUpdateOrdering,
    failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    reach()
    return Value.compareExchange(value, expected, desired)
  }
}

extension Atomic where Value: FixedWidthInteger {
  /// Changes the value by a function of the old one, as one step.
  private func update(_ change: (Value) -> Value) -> (oldValue: Value, newValue: Value) {
    reach()
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
    update { $0 + operand }
  }
  @usableFromInline @discardableResult
  package func subtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update { $0 - operand }
  }
  @usableFromInline @discardableResult
  package func wrappingAdd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update { $0 &+ operand }
  }
  @usableFromInline @discardableResult
  package func wrappingSubtract(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value)
  {
    update { $0 &- operand }
  }
  @usableFromInline @discardableResult
  package func bitwiseOr(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update { $0 | operand }
  }
  @usableFromInline @discardableResult
  package func bitwiseAnd(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update { $0 & operand }
  }
  @usableFromInline @discardableResult
  package func bitwiseXor(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update { $0 ^ operand }
  }
  @usableFromInline @discardableResult
  package func max(_ operand: Value, ordering: AtomicUpdateOrdering) -> (oldValue: Value, newValue: Value) {
    update { Swift.max($0, operand) }
  }
}

/// What an `Atomic` here may hold. The operations of the standard library's are there for a size, not for any value.
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
