/// Something that notifies of events of one type.
///
/// ```swift
/// func drop(_ price: inout Double, by percent: Double, notifying dispatch: some EventDispatchProtocol<Double>) {
///   let old = price
///   price *= 1 - percent / 100
///   dispatch.notifyIfChanged(old: old, new: price)
/// }
/// ```
///
/// ``EventDispatch`` conforms. A type that wraps one needs only to hand `notify(_:)` on; order, thread and cost are those of
/// what it wraps.
public protocol EventDispatchProtocol<EventType> {
  /// The type of the events that the handlers receive.
  associatedtype EventType

  /// Notifies every handler.
  func notify(_ event: EventType)
}

extension EventDispatchProtocol where EventType: Equatable {
  /// Notifies of the new value, unless it equals the old one.
  ///
  /// ```swift
  /// var price = 100.0 { didSet { onPriceChange.notifyIfChanged(old: oldValue, new: price) } }
  /// ```
  ///
  /// The two are compared with each other; what was notified before plays no part. Everything else is as in `notify(_:)`.
  public func notifyIfChanged(old: EventType, new: EventType) { if old != new { notify(new) } }
}

extension EventDispatchProtocol where EventType == Void {
  /// Notifies of an event that carries nothing.
  public func notify() { notify(()) }
}
