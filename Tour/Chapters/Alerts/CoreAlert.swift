import Tidings

struct CoreAlert: Alert {
  static let library = "Tidings"
  private let moved = Event<Move>("market.moved")
  private let subscription: Subscription

  init(raise: @escaping @MainActor (Move) -> Void) {
    subscription = moved.filter { $0.isSteepFall }.observe { raise($0) }
  }

  func note(_ move: Move) { moved.emit(move) }
}
