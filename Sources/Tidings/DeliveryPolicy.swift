/// What happens to a value that is emitted while an earlier one is still being delivered.
///
/// ```swift
/// let traded = Event<Trade>("market.traded")                       // .serial
/// let pressed = Event<Key>("keyboard.pressed", policy: .immediate)
/// ```
public enum DeliveryPolicy: Sendable {
  /// It waits until every handler has had the earlier one: all handlers hear the same values in the same order,
  /// whichever thread or handler emits. The default.
  case serial
  /// It is delivered at once, nested in the handler that emitted it, or at the same time as another thread's. Handlers
  /// added later hear the inner value first. For code that was written for depth-first observers.
  case immediate
}
