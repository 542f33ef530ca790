import SimpleNotifier

struct SimpleNotifierAlert: Alert {
  static let library = "SimpleNotifier"
  private let moved = Notifier<Move>()

  init(raise: @escaping @MainActor (Move) -> Void) {
    moved.observe { if $0.isSteepFall { raise($0) } }
  }

  func note(_ move: Move) { moved.send(move) }
}
