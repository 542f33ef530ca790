import Dispatch
import Tidings

/// The place where an event calls its closures.
///
/// ```swift
/// let ticked = Event<Clock, Tick>(sender: clock)                              // .background
/// let closing = Event<Window, Closing>(sender: window, delivery: .immediate)
/// let renamed = Event<Account, Renamed>(sender: account, delivery: .main)
/// ```
///
/// The original knows the first. Order, in each: the closures of an event one after another, in the order of adding.
public enum Delivery: Sendable {
  /// On a background queue, off the caller's thread: `invoke` returns immediately. What is invoked first is delivered first,
  /// to every closure, before anything of the next begins; in the original that order is undefined.
  case background

  /// On the caller, before `invoke` returns: for args that carry an answer back. A closure that invokes the event again is
  /// answered first; several threads may be called simultaneously.
  case immediate

  /// On the main queue, in the order of `invoke`. The compiler does not know that a closure runs there: write
  /// `MainActor.assumeIsolated { … }` in it to use what belongs to the main actor.
  case main

  /// Nil for delivery in place.
  var target: DeliveryTarget? {
    switch self {
    case .background: Self.backgroundQueue
    case .immediate: nil
    case .main: Self.mainQueue
    }
  }
  private static let backgroundQueue = DeliveryTarget { job in
    DispatchQueue.global(qos: .background).async(execute: job)
  }
  private static let mainQueue = DeliveryTarget { job in DispatchQueue.main.async(execute: job) }
}
