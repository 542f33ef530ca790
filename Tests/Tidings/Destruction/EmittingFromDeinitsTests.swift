import Testing
import Tidings
import TidingsTesting

@Suite("Emitting from a deinit")
struct EmittingFromDeinitsTests {
  @Test("Emitting from a deinit reaches every handler")
  func emittingFromADeinit() {
    let (event, received) = (Event<String>(), Recorder<String>())
    let token = event.observe { received($0) }
    do {
      let callback = DeinitCallback { event.emit("destroyed") }
      callback.touch()
    }
    #expect(received.values == ["destroyed"])
    // From the end of an object that is alone in holding the event.
    do {
      let sender = LastWords()
      sender.said.observe { received($0) }.store(in: &sender.tokens)
    }
    #expect(received.values == ["destroyed", "last words"])
    token.cancel()
  }

  @Test("Emitting from the deinit of what a cancelled handler captured, in the middle of a delivery")
  func emittingFromCaptures() {
    for policy in [DeliveryPolicy.serial, .immediate] {
      let (event, received) = (Event<Int>(policy: policy), Recorder<String>())
      let victim = Locked<Subscription?>(nil)
      let first = event.observe { value in
        received("first\(value)")
        if value == 1 { victim.current?.cancel() }
      }
      victim.current = event.observe { [callback = DeinitCallback { event.emit(2) }] _ in callback.touch() }
      let last = event.observe { received("last\($0)") }
      event.emit(1)
      #expect(received.values.filter { $0.hasPrefix("first") }.sorted() == ["first1", "first2"])
      #expect(received.values.filter { $0.hasPrefix("last") }.sorted() == ["last1", "last2"])
      victim.current = nil
      withExtendedLifetime((first, last)) {}
    }
  }
}

private final class LastWords: @unchecked Sendable {
  let said = Event<String>()
  var tokens: Set<Subscription> = []

  deinit { said.emit("last words") }
}
