// Each is a shorthand for what its summary names: order, thread, re-entrancy, lifetime and cost are as written there. A
// reference may be a constant on the left. `+=`, `-=`, `/` and `&` keep the standard library's declaration.
//
// What picks an overload. A handler's form: `{ (old, new) in }` and `{ new in }` are plain, the form for a whole change and
// the one without arguments disfavoured, so `x += { print($0) }` means the new value. What is on the left: values are taken
// `inout`, which makes `x += { }` a mutation of `x`; references by value. For a variable that holds a reference both fit;
// then the more special of two protocol extensions wins, which is why those operators are members and the others are not.
//
// Inlinable, here and in Handlers.swift: a handler's wrapping is compiled for the client's type, which is a third of its cost.

infix operator <- : AssignmentPrecedence
postfix operator ^

// MARK: Read and set

/// The value: ``AnyObservable/value``.
///
/// ```swift
/// let sum = x^ + 22
/// ```
@inlinable
public postfix func ^ <T: AnyObservable>(x: T) -> T.ValueType { x.value }

/// Sets the value: ``WritableObservable/value``.
///
/// ```swift
/// x <- y^ + 1
/// x <- isOpen ? 1 : 0
/// ```
@inlinable
public func <- <T: WritableObservable & UnownableObservable>(x: inout T, y: T.ValueType) { x.value = y }

/// Sets the value of a reference, which may be a constant.
@inlinable
public func <- <T: WritableObservable & OwnableObservable>(x: T, y: T.ValueType) {
  var x = x
  x.value = y
}

extension WritableObservable {
  /// Sets the value: the same as `<-`, to go with the postfix `^`.
  ///
  /// ```swift
  /// x ^= 42
  /// ```
  @inlinable
  public static func ^= (x: inout Self, y: ValueType) { x.value = y }
}

extension WritableObservable where Self: OwnableObservable {
  /// Sets the value of a reference, which may be a constant.
  @inlinable
  public static func ^= (x: Self, y: ValueType) { x <- y }
}

// MARK: An event's handlers

/// Adds a handler: `add(_:)`.
///
/// ```swift
/// let subscription = pressed += { key in print(key) }
/// ```
@discardableResult @inlinable
public func += <T: UnownableEvent>(
  event: inout T, handler: @escaping (T.ValueType) -> Void
) -> EventSubscription<T.ValueType> { event.add(handler) }

/// Adds a handler to a reference, which may be a constant.
@discardableResult @inlinable
public func += <T: OwnableEvent>(
  event: T, handler: @escaping (T.ValueType) -> Void
) -> EventSubscription<T.ValueType> {
  var event = event
  return event.add(handler)
}

/// Adds a handler that ignores its argument: `pressed += { print("pressed") }`.
@_disfavoredOverload @discardableResult @inlinable
public func += <T: UnownableEvent>(
  event: inout T, handler: @escaping () -> Void
) -> EventSubscription<T.ValueType> { event.add { _ in handler() } }

/// Adds a handler that ignores its argument to a reference, which may be a constant.
@_disfavoredOverload @discardableResult @inlinable
public func += <T: OwnableEvent>(
  event: T, handler: @escaping () -> Void
) -> EventSubscription<T.ValueType> { event += { (_: T.ValueType) in handler() } }

/// Takes a subscription away: ``AnyEvent/remove(_:)``.
///
/// ```swift
/// pressed -= subscription
/// ```
@inlinable
public func -= <T: UnownableEvent>(event: inout T, subscription: EventSubscription<T.ValueType>) {
  event.remove(subscription)
}

/// Takes a subscription away from a reference, which may be a constant.
@inlinable
public func -= <T: OwnableEvent>(event: T, subscription: EventSubscription<T.ValueType>) {
  var event = event
  event.remove(subscription)
}

/// Adds a handler of the old and the new value: `x.afterChange += { (old, new) in … }`.
@discardableResult @inlinable
public func += <T>(
  event: EventReference<ValueChange<T>>, handler: @escaping (T, T) -> Void
) -> EventSubscription<ValueChange<T>> { event.add(handler) }

/// Adds a handler of the new value: `x.afterChange += { new in … }`.
@discardableResult @inlinable
public func += <T>(
  event: EventReference<ValueChange<T>>, handler: @escaping (T) -> Void
) -> EventSubscription<ValueChange<T>> { event.add { (change: ValueChange<T>) in handler(change.newValue) } }

// MARK: An observable's handlers

extension AnyObservable {
  /// Adds a handler of the old and the new value to `afterChange`: `x += { (old, new) in … }`.
  ///
  /// It counts as a mutation of `x`.
  @discardableResult @inlinable
  public static func += (
    x: inout Self, handler: @escaping (ValueType, ValueType) -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange += handler }

  /// Adds a handler of the new value to `afterChange`: `x += { new in … }`.
  ///
  /// It counts as a mutation of `x`.
  @discardableResult @inlinable
  public static func += (
    x: inout Self, handler: @escaping (ValueType) -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange += handler }

  /// Adds a handler of the whole change to `afterChange`: `x += { change in … }`.
  ///
  /// It counts as a mutation of `x`.
  @_disfavoredOverload @discardableResult @inlinable
  public static func += (
    x: inout Self, handler: @escaping (ValueChange<ValueType>) -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange.add(handler) }

  /// Adds a handler that ignores its argument to `afterChange`: `x += { print("changed") }`.
  ///
  /// It counts as a mutation of `x`.
  @_disfavoredOverload @discardableResult @inlinable
  public static func += (
    x: inout Self, handler: @escaping () -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange += handler }

  /// Takes a subscription away from `afterChange`: `x -= subscription`.
  @inlinable
  public static func -= (x: inout Self, subscription: EventSubscription<ValueChange<ValueType>>) {
    x.afterChange.remove(subscription)
  }
}

extension OwnableObservable {
  /// Adds a handler of the old and the new value to a reference's `afterChange`.
  @discardableResult @inlinable
  public static func += (
    x: Self, handler: @escaping (ValueType, ValueType) -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange += handler }

  /// Adds a handler of the new value to a reference's `afterChange`.
  @discardableResult @inlinable
  public static func += (
    x: Self, handler: @escaping (ValueType) -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange += handler }

  /// Adds a handler of the whole change to a reference's `afterChange`.
  @_disfavoredOverload @discardableResult @inlinable
  public static func += (
    x: Self, handler: @escaping (ValueChange<ValueType>) -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange.add(handler) }

  /// Adds a handler that ignores its argument to a reference's `afterChange`.
  @_disfavoredOverload @discardableResult @inlinable
  public static func += (
    x: Self, handler: @escaping () -> Void
  ) -> EventSubscription<ValueChange<ValueType>> { x.afterChange += handler }

  /// Takes a subscription away from a reference's `afterChange`.
  @inlinable
  public static func -= (x: Self, subscription: EventSubscription<ValueChange<ValueType>>) {
    x.afterChange.remove(subscription)
  }
}
