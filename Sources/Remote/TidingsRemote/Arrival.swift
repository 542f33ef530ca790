import Tidings

/// A message as an observer receives it, or the mark in the place of messages that it did not receive.
///
/// ```swift
/// let subscription = placed.arrivals.observe { arrival in
///   switch arrival {
///   case .message(let order): shown(order)
///   case .gap: reload()
///   }
/// }
/// ```
public enum Arrival<Payload: Sendable>: Sendable {
  /// A message.
  case message(Payload)
  /// Messages are missing between the message before and the next one.
  ///
  /// - missed: How many. Nil if the number is unknown, and perhaps none: the store was replaced, or emptied.
  case gap(missed: Int?)

  var payload: Payload? { if case .message(let payload) = self { payload } else { nil } }
}

extension Arrival: Equatable where Payload: Equatable {}

/// The arrivals of an event of a relay. It retains the event.
struct Arrivals<Message: Sendable>: EventSource {
  let attaching: @Sendable (EventHandler<Arrival<Message>>) -> Subscription
  func attach(_ handler: EventHandler<Arrival<Message>>) -> Subscription { attaching(handler) }
}
