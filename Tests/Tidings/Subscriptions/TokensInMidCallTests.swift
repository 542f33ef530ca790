import Testing
import Tidings
import TidingsTesting

/// Uses of a token that a program should avoid, or makes by accident. The behavior is defined, and nothing is lost.
@Suite("Wrong use of tokens: cancelled twice, in mid-call, dropped in their own handler, mixed up")
struct TokensInMidCallTests {
  @Test("Dropping the last token inside its own handler: the call runs to its end, and is the last")
  func droppingTheTokenInItsOwnHandler() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let (event, received, canaries) = (Event<Int>(policy: policy), Recorder<String>(), Canaries())
      let token = Locked<Subscription?>(nil)
      token.current = event.observe { [canary = canaries.make()] value in
        token.current = nil
        canary.touch()
        if value < 3 { event.emit(value + 1) }
        received("own \(value) with \(canaries.alive)")
      }
      let other = event.observe { received("other \($0)") }
      event.emit(1)
      #expect(received.values.filter { $0.hasPrefix("own") } == ["own 1 with 1"])
      #expect(received.values.filter { $0.hasPrefix("other") }.sorted() == ["other 1", "other 2"])
      #expect(canaries.alive == 0)
      other.cancel()
    }
  }

  @Test("Dropping the last token of a local event inside its own handler")
  func droppingALocalToken() {
    let (event, canaries) = (LocalEvent<Int>(), Canaries())
    var (received, token): ([Int], LocalSubscription?) = ([], nil)
    token = event.observe { [canary = canaries.make()] value in
      token = nil
      canary.touch()
      if value < 3 { event.emit(value + 1) }
      received.append(value)
    }
    let other = event.observe { received.append($0 * 10) }
    event.emit(1)
    #expect(received == [1, 10, 20])
    #expect(canaries.alive == 0 && token == nil)
    other.cancel()
  }

  @Test("Tokens of two events in one set know their own")
  func tokensOfTwoEvents() {
    let (first, second, received) = (Event<Int>(), Event<String>(), Recorder<String>())
    var tokens: Set<Subscription> = []
    for _ in 0..<2 { first.observe { received("\($0)") }.store(in: &tokens) }
    let own = second.observe { received($0) }
    for _ in 0..<2 { own.store(in: &tokens) }
    #expect(tokens.count == 3)
    tokens.remove(own)
    first.emit(1)
    second.emit("own is still held")
    #expect(received.values == ["1", "1", "own is still held"])
    tokens.removeAll()
    #expect(first.diagnostics.count == 0 && second.diagnostics.count == 1)
    own.cancel()
  }
}
