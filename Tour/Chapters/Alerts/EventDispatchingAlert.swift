import EventDispatching

struct EventDispatchingAlert: Alert {
  static let library = "EventDispatching"
  private let moved = EventDispatch<Move>()

  init(raise: @escaping @MainActor (Move) -> Void) {
    moved += { if $0.isSteepFall { raise($0) } }
  }

  func note(_ move: Move) { moved <- move }
}
