import Testing
import Tidings
import TidingsTesting

@Suite("23. Events that drive each other in a cycle are stopped and reported with their chain.", .serialized)
struct EventCyclesTests {
  @Test("23. When a cycle was rejected and nothing is left of it, a long chain that ends is received whole")
  func aChainAfterACycle() {
    let reports = Reports(about: ["countdown"])
    let (event, received) = (Event<Int>("countdown", maximumDepth: 100), Recorder<Int>())
    let token = event.observe { value in
      received(value)
      if value > 0 { event.emit(value - 1) }
    }
    event.emit(1_000)
    #expect(reports.labels == [["countdown"]])
    let before = received.values.count
    event.emit(50)
    #expect(received.values.count == before + 51)
    let value = Observed(0, label: "value", maximumDepth: 100)
    let counting = value.observe { if $0.new > 0 { value.set($0.new - 1) } }
    value.set(1_000)
    value.set(50)
    #expect(value.value == 0)
    token.cancel()
    counting.cancel()
  }

  @Test("two events", arguments: [DeliveryPolicy.serial, .immediate])
  func twoEvents(_ policy: DeliveryPolicy) {
    let reports = Reports(about: ["ping", "pong"])
    let ping = Event<Int>("ping", policy: policy, maximumDepth: 40)
    let pong = Event<Int>("pong", policy: policy, maximumDepth: 40)
    let received = Recorder<Int>()
    let tokens = [
      ping.observe { value in
        received(value)
        if value < beyond { pong.emit(value + 1) }
      },
      pong.observe { value in
        received(value)
        if value < beyond { ping.emit(value + 1) }
      },
    ]
    ping.emit(0)
    #expect(reachesForty(received.values), "the depth is that of the cause, whichever event it was")
    #expect(reports.labels == [["ping", "pong"]])
    withExtendedLifetime(tokens) {}
  }

  /// While a handler runs other threads emit: they are no handler's effect.
  @Test("across threads", arguments: [DeliveryPolicy.serial, .immediate])
  func acrossThreads(_ policy: DeliveryPolicy) {
    let reports = Reports(about: ["busy"])
    let (event, received) = (Event<Int>("busy", policy: policy, maximumDepth: 5), Recorder<Int>())
    let token = event.observe { value in
      received(value)
      if value < 20 { Threads.elsewhere { event.emit(value + 1) } }
    }
    event.emit(0)
    #expect(received.values == Array(0...20))
    #expect(reports.labels == [])
    token.cancel()
  }

  /// A thread of the platform's smallest usual stack holds what is allowed by default.
  @Test("on a small stack", arguments: [DeliveryPolicy.serial, .immediate])
  func onASmallStack(_ policy: DeliveryPolicy) {
    let reports = Reports(about: ["deep"])
    let (event, received) = (Event<Int>("deep", policy: policy), Recorder<Int>())
    let token = event.map { $0 + 1 }.filter { _ in true }.observe { value in
      received(value)
      if value < 20_000 { event.emit(value) }
    }
    Threads.elsewhere { event.emit(0) }
    #expect(reports.labels == [["deep"]])
    #expect(received.values == Array(1...received.values.count))
    token.cancel()
  }

  /// The stack is used up long before the depth is reached. The rejected value is still reported, and the event continues.
  @Test("nested, where the stack is smaller than the depth needs")
  func nestedOnASmallerStack() {
    let reports = Reports(about: ["nested"])
    let (event, received) = (Event<Int>("nested", policy: .immediate, maximumDepth: 1_000_000), Recorder<Int>())
    let token = event.observe { value in
      received(value)
      if value < 100_000 { event.emit(value + 1) }
    }
    Threads.elsewhere { event.emit(0) }
    #expect(reports.labels == [["nested"]])
    #expect(received.values == Array(0..<received.values.count))
    #expect((10..<100_000).contains(received.values.count))
    Threads.elsewhere { event.emit(100_000) }
    #expect(received.values.last == 100_000)
    token.cancel()
  }

  @Test("nested in one isolation, where the stack is smaller than the depth needs")
  func nestedLocallyOnASmallerStack() {
    let (reports, count) = (Reports(about: ["nested locally"]), Locked(0))
    Threads.elsewhere {
      let event = LocalEvent<Int>("nested locally", policy: .immediate, maximumDepth: 1_000_000)
      let token = event.observe { value in
        count.withLock { $0 += 1 }
        if value < 100_000 { event.emit(value + 1) }
      }
      event.emit(0)
      token.cancel()
    }
    #expect(reports.labels == [["nested locally"]])
    #expect((10..<100_000).contains(count.current))
  }

  @Test("the default depth")
  func theDefaultDepth() {
    let reports = Reports(about: ["default"])
    let (event, received) = (Event<Int>("default"), Recorder<Int>())
    let token = event.observe { value in
      received(value)
      if value < 20_000 { event.emit(value + 1) }
    }
    event.emit(0)
    #expect((10_000...10_001).contains(received.values.count))
    #expect(reports.labels == [["default"]])
    token.cancel()
  }

  /// A cycle through an actor is a cycle: the cause travels with the value.
  @Test("through an actor")
  func throughAnActor() async {
    let reports = Reports(about: ["relay"])
    let (event, listener, received) = (Event<Int>("relay", maximumDepth: 40), Listener(), Recorder<Int>())
    event.observe(with: listener) { _, value in
      received(value)
      if value < beyond { event.emit(value + 1, isolation: nil) }
    }
    event.emit(0)
    #expect(await eventually { !reports.labels.isEmpty })
    #expect(reachesForty(received.values))
    #expect(reports.labels == [["relay"]])
  }
}

/// The value at which a cycle ends if the library does not stop it.
private let beyond = 200

/// Every value up to the depth of 40. Whether what no handler caused is zero or one deep, the sentence leaves open.
private func reachesForty(_ values: [Int]) -> Bool {
  values == Array(0..<40) || values == Array(0...40)
}
