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
  /// Whether it is finished during the run.
  let isFinishable: Bool
  let label: String
  /// `share` and `replay` of it, which several handlers have in common. A `replay` follows the source from the beginning.
  private let pools: Locked<(shared: AnyEventSource<FuzzItem>?, replayed: AnyEventSource<FuzzItem>?)>
  /// When `finish()` was called first, and when the first call had returned.
  private let finishing = Locked((begin: Int.max, end: Int.max))
  /// Nil when the run is over: handlers know their source, and should not keep the event itself.
  private let living: Locked<Kind?>

  private init(
    _ number: Int, _ kind: Kind, _ policy: DeliveryPolicy, _ label: String, isExpendable: Bool = false,
    isFinishable: Bool = false
  ) {
    (self.number, self.policy, self.label) = (number, policy, label)
    (self.isExpendable, self.isFinishable) = (isExpendable, isFinishable)
    living = Locked(kind)
    pools = Locked((nil, nil))
    if case .hook = kind { isHook = true } else { isHook = false }
    pools.current.shared = items?.share()
  }

  static func all(_ seed: UInt64) -> [FuzzSource] {
    func event(_ number: Int, _ policy: DeliveryPolicy, isExpendable: Bool = false, isFinishable: Bool = false)
      -> FuzzSource
    {
      let label = "fuzz \(number) of \(seed)"
      return FuzzSource(
        number, .event(Event(label, policy: policy)), policy, label, isExpendable: isExpendable,
        isFinishable: isFinishable)
    }
    return [
      event(0, .serial), event(1, .immediate), event(2, .serial, isExpendable: true),
      event(3, .immediate, isExpendable: true),
      FuzzSource(4, .observed(Observed(-1, label: "fuzz 4")), .serial, "fuzz 4"),
      FuzzSource(5, .hook(Hook("fuzz 5")), .immediate, "fuzz 5"),
      event(6, .serial, isFinishable: true), event(7, .immediate, isFinishable: true),
    ]
  }

  var kind: Kind? { living.current }

  var event: Event<Int>? { if case .event(let event) = kind { event } else { nil } }

  /// The last reference of the run to it is released.
  func end() {
    pools.current = (nil, nil)
    living.current = nil
  }

  // MARK: Operators

  var items: AnyEventSource<FuzzItem>? {
    switch kind {
    case .event(let event): event.map { FuzzItem(value: $0) }
    case .observed(let observed): Self.items(of: observed)
    case .hook, nil: nil
    }
  }

  private static func items(of changes: some EventSource<Change<Int>>) -> AnyEventSource<FuzzItem> {
    changes.map { FuzzItem(value: $0.new, old: $0.old) }
  }

  func keepLastValues() { pools.current.replayed = items?.replay(FuzzChain.replayCount) }

  var keepsLastValues: Bool { pools.current.replayed != nil }

  func pooled(_ step: FuzzChain.Step) -> AnyEventSource<FuzzItem>? {
    switch step {
    case .share: pools.current.shared
    case .replay: pools.current.replayed
    default: nil
    }
  }

  // MARK: Ending

  /// Whether it takes no more values, and when that was certainly not so and certainly so.
  var finish: (isFinished: Bool, begin: Int, end: Int) {
    let (begin, end) = finishing.current
    return (end != .max, begin, end)
  }

  func finish(_ clock: FuzzClock) {
    let begin = clock.tick()
    event?.finish()
    let end = clock.tick()
    finishing.withLock { $0 = (min($0.begin, begin), min($0.end, end)) }
  }

  // MARK: Emitting

  func emit(_ value: Int, isolation: isolated (any Actor)?) {
    switch kind {
    case .event(let event): event.emit(value, isolation: isolation)
    case .observed(let observed): observed.set(value, isolation: isolation)
    case .hook, nil: break
    }
  }

  /// Waits until an event's handlers have finished with it, or a hook's handlers have answered.
  func emitAndWait(_ value: Int, isolation: isolated (any Actor)?) async {
    switch kind {
    case .event(let event): await event.emitAndWait(value, isolation: isolation)
    case .hook(let hook): _ = await hook(value)
    case .observed, nil: break
    }
  }
}
