import ClosureEvents

struct ClosureEventsAlert: Alert {
  struct Moved: EventArgs, Sendable { let move: Move }

  static let library = "ClosureEvents"
  private let moved = Event<String, Moved>(sender: "market", delivery: .immediate)

  init(raise: @escaping @MainActor (Move) -> Void) {
    moved += Closure { _, args in
      if args.move.isSteepFall { MainActor.assumeIsolated { raise(args.move) } }
    }
  }

  func note(_ move: Move) { moved.invoke(with: Moved(move: move)) }
}
