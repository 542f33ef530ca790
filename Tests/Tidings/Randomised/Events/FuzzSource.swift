import Tidings
import TidingsTesting

/// An event, a value or a hook of one run.
final class FuzzSource: Sendable {
  enum Kind: Sendable {
    case event(Event<Int>)
    case observed(Observed<Int>)
    case hook(Hook<Int, Int, Never>)
  }

  let number: Int
  let isHook: Bool
  let policy: DeliveryPolicy
  /// Whether `cancelAll()` is called on it. On others a handler stays throughout, and receives everything.
  let isExpendable: Bool
  /// Nil when the run is over: handlers know their source, and should not keep the event itself.
  private let living: Locked<Kind?>

  private init(_ number: Int, _ kind: Kind, _ policy: DeliveryPolicy, isExpendable: Bool = false) {
    (self.number, self.policy, self.isExpendable) = (number, policy, isExpendable)
    living = Locked(kind)
    if case .hook = kind { isHook = true } else { isHook = false }
  }

  static func all() -> [FuzzSource] {
    let events: [FuzzSource] = [
      (DeliveryPolicy.serial, false), (.immediate, false), (.serial, true), (.immediate, true),
    ].enumerated().map { number, form in
      FuzzSource(number, .event(Event("fuzz \(number)", policy: form.0)), form.0, isExpendable: form.1)
    }
    return events + [
      FuzzSource(4, .observed(Observed(-1, label: "fuzz 4")), .serial),
      FuzzSource(5, .hook(Hook("fuzz 5")), .immediate),
    ]
  }

  var kind: Kind? { living.current }

  var event: Event<Int>? { if case .event(let event) = kind { event } else { nil } }

  func end() { living.current = nil }

  func emit(_ value: Int, isolation: isolated (any Actor)?) {
    switch kind {
    case .event(let event): event.emit(value, isolation: isolation)
    case .observed(let observed): observed.set(value, isolation: isolation)
    case .hook, nil: break
    }
  }

  /// Waits until an event's handlers have finished with it, or a hook's handlers have answered.
  func emitAndWait(_ value: Int) async {
    switch kind {
    case .event(let event): await event.emitAndWait(value)
    case .hook(let hook): _ = await hook(value)
    case .observed, nil: break
    }
  }
}
