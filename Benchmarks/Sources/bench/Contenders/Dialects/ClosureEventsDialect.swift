import ClosureEvents

final class ClosureEventsDialect: Contender {
  struct Args: EventArgs, Sendable { let payload: Int }

  static let name = "ClosureEvents, .immediate"
  private let event = Event<Int, Args>(sender: 0, delivery: .immediate)

  func subscribe(_ tally: Tally) { event += Closure { _, args in tally.add(args.payload) } }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { event.invoke(with: Args(payload: payload)) }
  }
}
