import SubjectObserver

struct SubjectObserverAlert: Alert {
  final class Moved: Notification {
    let move: Move
    var data: Any? { move }
    init(_ move: Move) { self.move = move }
  }
  final class Watch: Observer {
    private let raise: @MainActor (Move) -> Void
    init(raise: @escaping @MainActor (Move) -> Void) { self.raise = raise }

    func notify(with notification: any Notification) {
      guard let move = notification.data as? Move, move.isSteepFall else { return }
      MainActor.assumeIsolated { [raise] in raise(move) }
    }
  }

  static let library = "SubjectObserver"
  private let market = Subject()
  /// The subject holds it weakly.
  private let watch: Watch

  init(raise: @escaping @MainActor (Move) -> Void) {
    watch = Watch(raise: raise)
    market += watch
  }

  func note(_ move: Move) { market ~> Moved(move) }
}
