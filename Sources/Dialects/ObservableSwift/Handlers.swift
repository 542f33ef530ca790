// The forms of a handler as methods. `add { $0 }` means the whole change, as it always did; `(old, new)` cannot be mistaken,
// and the other two are disfavoured.

extension UnownableEvent {
  /// Adds a handler that ignores its argument: `pressed.add { print("pressed") }`.
  @_disfavoredOverload @discardableResult @inlinable
  public mutating func add(_ handler: @escaping () -> Void) -> EventSubscription<ValueType> { add { _ in handler() } }

  /// Adds a handler that ignores its argument and lives until its owner is deinitialized.
  @_disfavoredOverload @discardableResult @inlinable
  public mutating func add(owner: AnyObject, _ handler: @escaping () -> Void) -> EventSubscription<ValueType> {
    add(owner: owner) { _ in handler() }
  }
}

extension EventReference {
  /// Adds a handler that ignores its argument: `x.afterChange.add { print("changed") }`.
  @_disfavoredOverload @discardableResult @inlinable
  public func add(_ handler: @escaping () -> Void) -> EventSubscription<T> { add { (_: T) in handler() } }

  /// Adds a handler that ignores its argument and lives until its owner is deinitialized.
  @_disfavoredOverload @discardableResult @inlinable
  public func add(owner: AnyObject, _ handler: @escaping () -> Void) -> EventSubscription<T> {
    add(owner: owner) { (_: T) in handler() }
  }

  /// Adds a handler of the old and the new value: `x.afterChange.add { (old, new) in … }`.
  @discardableResult @inlinable
  public func add<V>(_ handler: @escaping (V, V) -> Void) -> EventSubscription<T> where T == ValueChange<V> {
    add { (change: T) in handler(change.oldValue, change.newValue) }
  }

  /// Adds a handler of the new value: `x.afterChange.add { (new: Int) in … }`.
  @_disfavoredOverload @discardableResult @inlinable
  public func add<V>(_ handler: @escaping (V) -> Void) -> EventSubscription<T> where T == ValueChange<V> {
    add { (change: T) in handler(change.newValue) }
  }

  /// Adds a handler of the old and the new value that lives until its owner is deinitialized.
  @discardableResult @inlinable
  public func add<V>(
    owner: AnyObject, _ handler: @escaping (V, V) -> Void
  ) -> EventSubscription<T> where T == ValueChange<V> {
    add(owner: owner) { (change: T) in handler(change.oldValue, change.newValue) }
  }

  /// Adds a handler of the new value that lives until its owner is deinitialized.
  @_disfavoredOverload @discardableResult @inlinable
  public func add<V>(
    owner: AnyObject, _ handler: @escaping (V) -> Void
  ) -> EventSubscription<T> where T == ValueChange<V> {
    add(owner: owner) { (change: T) in handler(change.newValue) }
  }
}
