/// A price alert, written on one library: it receives every move and raises the steep falls.
@MainActor
protocol Alert {
  static var library: String { get }

  init(raise: @escaping @MainActor (Move) -> Void)
  func note(_ move: Move)
}
