import Testing
import Tidings
import TidingsTesting

/// Sentence 15, of senders, sources and operators.
extension ReleaseTests {
  /// An object that holds its event and emits is not held in turn.
  @Test("senders")
  func senders() {
    let canaries = Canaries()
    do {
      let sender = Sender(canaries.make())
      let token = sender.changed.observe { _ in }
      sender.follow()
      sender.changed.emit(1)
      token.cancel()
      #expect(canaries.alive == 1)
    }
    #expect(canaries.alive == 0)
  }

  @Test("the source")
  func theSource() {
    weak var source: Event<Int>?
    weak var other: Event<Int>?
    let tokens: [Subscription]
    do {
      let (event, second) = (Event<Int>(), Event<Int>())
      (source, other) = (event, second)
      tokens = [
        event.observe { _ in }, event.map { $0 }.filter { _ in true }.observe { _ in },
        event.removeDuplicates().scan(0) { $0 + $1 }.observe { _ in }, event.merge(second).observe { _ in },
        event.once { _ in },
      ]
      event.emit(1)
      withExtendedLifetime((event, second)) {}
    }
    #expect(source == nil && other == nil, "a token keeps no source")
    #expect(tokens.filter(\.isActive).isEmpty)
  }

  /// Operators live as long as a token after them, though no other reference keeps them, and no longer.
  @Test("the operators")
  func theOperators() {
    let (event, canaries, received) = (Event<Int>(), Canaries(), Recorder<Int>())
    func viaOperator() -> AnyEventSource<Int> {
      let canary = canaries.make()
      return event.map {
        canary.touch()
        return $0 + 1
      }.filter { _ in true }
    }
    let token = viaOperator().observe { received($0) }
    #expect(canaries.alive == 1)
    event.emit(1)
    #expect(received.values == [2])
    token.cancel()
    #expect(canaries.alive == 0)
    let merged = event.merge(viaOperator(), viaOperator()).observe { received($0) }
    #expect(canaries.alive == 2)
    event.emit(2)
    #expect(received.values == [2, 2, 3, 3])
    merged.cancel()
    #expect(canaries.alive == 0)
  }
}

private final class Sender: Sendable {
  let changed = Event<Int>()
  private let canary: Canary

  init(_ canary: Canary) { self.canary = canary }

  /// Observes its own event, bound to itself.
  func follow() { changed.observe(with: self) { sender, _ in sender.canary.touch() } }
}
