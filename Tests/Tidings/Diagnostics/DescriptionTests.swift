import Testing
import Tidings
import TidingsTesting

@Suite("Descriptions, and subscriptions that are kept")
struct DescriptionTests {
  @Test("Each says what it is, its label or place, and how many subscribe")
  func descriptions() async {
    let (event, hook) = (Event<Int>("market.traded"), Hook<Int, Bool, Never>("market.approve"))
    let (localEvent, localHook) = (LocalEvent<Int>("pressed"), LocalHook<Int, Bool, Never>("mayClose"))
    #expect("\(event)" == "Event<Int> 'market.traded' (0 subscriptions)")
    let token = event.observe { _ in }
    let stream = event.map { $0 }.stream(buffering: .newest(1))
    event.emit(contentsOf: 1...3)
    #expect("\(event)" == "Event<Int> 'market.traded' (2 subscriptions)")
    #expect("\(stream)" == "EventStream<Int> of 'market.traded' (1 waiting, 2 dropped)")
    #expect("\(token)" == "Subscription to 'market.traded' (active)")
    token.pause()
    #expect("\(token)" == "Subscription to 'market.traded' (paused)")
    token.cancel()
    #expect("\(token)" == "Subscription to 'market.traded' (ended)")
    #expect("\(event.map { "\($0)" })" == "AnyEventSource<String>")
    #expect("\(hook)" == "Hook<Int, Bool, Never> 'market.approve' (0 subscriptions)")
    #expect("\(localEvent)" == "LocalEvent<Int> 'pressed' (0 subscriptions)")
    #expect("\(localHook)" == "LocalHook<Int, Bool, Never> 'mayClose' (0 subscriptions)")
    let local = localEvent.observe { _ in }
    #expect("\(local)" == "LocalSubscription to 'pressed' (active)")
    local.pause()
    #expect("\(local)" == "LocalSubscription to 'pressed' (paused)")
    local.cancel()
    #expect("\(local)" == "LocalSubscription to 'pressed' (ended)")
    #expect(
      [event.label, hook.label, localEvent.label, localHook.label] == [
        "market.traded", "market.approve", "pressed", "mayClose",
      ])
    #expect("\(Event<Int>())".hasPrefix("Event<Int> 'event at "))
    #expect(Event<Int>().label == nil)
  }

  @Test("A mirror shows the label and how many subscribe, of a subscription and a stream their source and state")
  func mirrors() {
    func children(_ subject: Any) -> [String] {
      Mirror(reflecting: subject).children.map { "\($0.label ?? "-"): \($0.value)" }
    }
    let (event, hook) = (Event<Int>("market.traded"), Hook<Int, Bool, Never>("market.approve"))
    let (localEvent, localHook) = (LocalEvent<Int>("pressed"), LocalHook<Int, Bool, Never>("mayClose"))
    let token = event.observe { _ in }
    let stream = event.stream(buffering: .newest(1))
    event.emit(contentsOf: 1...3)
    #expect(children(event) == [#"label: Optional("market.traded")"#, "subscriptions: 2"])
    #expect(children(hook) == [#"label: Optional("market.approve")"#, "subscriptions: 0"])
    #expect(children(localEvent) == [#"label: Optional("pressed")"#, "subscriptions: 0"])
    #expect(children(localHook) == [#"label: Optional("mayClose")"#, "subscriptions: 0"])
    #expect(children(token) == ["source: market.traded", "state: active"])
    #expect(children(stream) == ["source: market.traded", "state: 1 waiting, 2 dropped"])
    let local = localEvent.observe { _ in }
    #expect(children(local) == ["source: pressed", "state: active"])

    let price = Observed(40, label: "price")
    let changes = PropertyChanges(.init(\Quote.price, price), label: "quote")
    let following = changes.observe { _ in }
    #expect("\(changes)" == "PropertyChanges<Quote> 'quote' (1 subscription)")
    #expect(changes.label == "quote" && children(changes) == [#"label: Optional("quote")"#, "subscriptions: 1"])
    let pump = event.emit(each: AsyncStream { $0.finish() })
    #expect("\(pump)" == "Pump (active)")
    pump.cancel()
    #expect("\(pump)" == "Pump (cancelled)")
    following.cancel()
  }
  private final class Quote: Sendable {
    let price = Observed(40)
  }

  @Test("`forever()` keeps a handler as long as its event, also without the token; it can still be cancelled")
  func forever() {
    let (received, canaries) = (Recorder<Int>(), Canaries())
    do {
      let event = Event<Int>()
      event.observe { [canary = canaries.make()] value in
        canary.touch()
        received(value)
      }.forever()
      event.map { $0 * 10 }.observe { received($0) }.forever()
      event.emit(1)
      #expect(received.values == [1, 10])
      let token = event.observe { received($0 * 100) }
      token.forever()
      token.forever()
      token.cancel()
      token.forever()
      event.emit(2)
      #expect(received.values == [1, 10, 2, 20])
    }
    #expect(canaries.alive == 0)
  }
}
