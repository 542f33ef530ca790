import SimpleNotifier

final class SimpleNotifierDialect: Contender {
  static let name = "SimpleNotifier"
  private let notifier = Notifier<Int>()

  func subscribe(_ tally: Tally) { notifier.observe { tally.add($0) } }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { notifier.send(payload) }
  }
}
