import ObservableSwift

final class ObservableSwiftAlert: Alert {
  static let library = "ObservableSwift"
  private var latest = Observable<Move?>(nil)

  init(raise: @escaping @MainActor (Move) -> Void) {
    latest.afterChange += { change in
      if let move = change.newValue, move.isSteepFall { raise(move) }
    }
  }

  func note(_ move: Move) { latest <- move }
}
