import ObservableSwift

final class ObservableSwiftDialect: Contender {
  static let name = "ObservableSwift"
  private let event = EventReference<Int>()

  func subscribe(_ tally: Tally) { event.add { tally.add($0) } }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { event.notify(payload) }
  }
}
