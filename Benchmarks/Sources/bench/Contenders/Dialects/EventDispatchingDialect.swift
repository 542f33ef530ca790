import EventDispatching

final class EventDispatchingDialect: Contender {
  static let name = "EventDispatching"
  private let dispatch = EventDispatch<Int>()

  func subscribe(_ tally: Tally) { dispatch.addHandler { tally.add($0) } }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { dispatch.notify(payload) }
  }
}
