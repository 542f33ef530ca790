// Each is a shorthand for the method that its summary names: order, thread, re-entrancy, lifetime and cost are as written
// there. The dispatch, a reference, may be a constant. `+=` and `-=` keep the standard library's declaration.

infix operator <- : AssignmentPrecedence
infix operator +-= : AssignmentPrecedence

/// Adds a handler: ``EventDispatch/addHandler(_:)``.
///
/// ```swift
/// onPriceChange += { print("the price is \($0) now") }
/// let identifier = onPriceChange += { alerts.check($0) }
/// ```
@discardableResult
public func += <Event>(
  dispatch: EventDispatch<Event>, handler: @escaping (Event) -> Void
) -> EventDispatch<Event>.HandlerIdentifier {
  dispatch.addHandler(handler)
}

/// Adds a handler for one event: ``EventDispatch/handleOnce(_:)``.
///
/// ```swift
/// onDownloaded +-= { file in print(file) }
/// ```
@discardableResult
public func +-= <Event>(
  dispatch: EventDispatch<Event>, handler: @escaping (Event) -> Void
) -> EventDispatch<Event>.HandlerIdentifier {
  dispatch.handleOnce(handler)
}

/// Removes a handler: ``EventDispatch/removeHandler(_:)``.
///
/// ```swift
/// onPriceChange -= identifier
/// ```
public func -= <Event>(dispatch: EventDispatch<Event>, identifier: EventDispatch<Event>.HandlerIdentifier) {
  dispatch.removeHandler(identifier)
}

/// Notifies: ``EventDispatch/notify(_:)``.
///
/// ```swift
/// onGotResponse <- (200, "ok")
/// onCallback <- ()
/// ```
///
/// Its precedence is that of an assignment: `onPriceChange <- price + tax` needs no parentheses.
public func <- <Event>(dispatch: EventDispatch<Event>, event: Event) { dispatch.notify(event) }

/// Notifies of the new value, unless it equals the old one: ``EventDispatchProtocol/notifyIfChanged(old:new:)``.
///
/// ```swift
/// var price = 100.0 { didSet { onPriceChange <- (oldValue, price) } }
/// ```
public func <- <Event: Equatable>(dispatch: EventDispatch<Event>, change: (oldValue: Event, newValue: Event)) {
  dispatch.notifyIfChanged(old: change.oldValue, new: change.newValue)
}
