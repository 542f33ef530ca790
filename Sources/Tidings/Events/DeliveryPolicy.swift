/// The rule for a value that is emitted while an earlier one is still being delivered.
///
/// ```swift
/// let traded = Event<Trade>("market.traded")                       // .serial
/// let pressed = Event<Key>("keyboard.pressed", policy: .immediate)
/// ```
public enum DeliveryPolicy: Sendable {
  /// The value waits until every handler has received the earlier one. All handlers receive the same values in the same
  /// order, whichever thread or handler emits. This is the default.
  case serial
  /// The value is delivered immediately: nested in the handler that emitted it, or simultaneously with the delivery of
  /// another thread. Handlers that were added later receive the inner value first. For code that was written for depth-first
  /// observers.
  case immediate
}
