import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  23. Values and events that drive each other in a cycle are stopped and reported with their chain: an emission \
  caused by a handler is one deeper than what caused it, and beyond a causal depth (10,000 where emissions queue, \
  what the smallest thread's stack holds where they nest: 200; can be set) it is rejected. Values stay readable. \
  What other threads emit does not count, and a chain is not rejected because of another. What the destruction of \
  captures causes is part of the chain. A `Derived` that reads itself is reported immediately; setting or emitting \
  in a `Derived`'s closure is rejected with a message.
  """, .serialized)
struct ValueCyclesTests {
  @Test("one value, set in transactions or not", arguments: [false, true])
  func oneValue(inTransactions: Bool) {
    let reports = Reports(about: ["counter"])
    let (value, received) = (Observed(0, label: "counter", maximumDepth: 40), ChangeRecorder<Int>())
    let token = value.observe { change in
      received(change)
      if change.new == beyond { return }
      if inTransactions { transaction { value.set(change.new + 1) } } else { value.set(change.new + 1) }
    }
    value.set(1)
    #expect(reachesForty(received.newValues))
    #expect(reports.labels == [["counter"]])
    #expect(reports.messages.allSatisfy { $0.contains("counter") })
    #expect(value.value == received.newValues.last, "what was rejected was not written")
    token.cancel()
    let after = value.observe { received($0) }
    value.set(1_000)
    #expect(received.newValues.last == 1_000 && value.value == 1_000 && received.isUnbroken(from: 0))
    after.cancel()
  }

  @Test("two values")
  func twoValues() {
    let reports = Reports(about: ["celsius", "fahrenheit"])
    let celsius = Observed(0, label: "celsius", maximumDepth: 40)
    let fahrenheit = Observed(0, label: "fahrenheit", maximumDepth: 40)
    let received = Recorder<Int>()
    let tokens = [
      celsius.observe { change in
        received(change.new)
        if change.new < beyond { fahrenheit.set(change.new + 1) }
      },
      fahrenheit.observe { change in
        received(change.new)
        if change.new < beyond { celsius.update { $0 = change.new + 1 } }
      },
    ]
    celsius.set(1)
    #expect(reachesForty(received.values), "the depth is that of the cause, whichever value it was")
    #expect(reports.labels == [["celsius", "fahrenheit"]])
    #expect(max(celsius.value, fahrenheit.value) == received.values.last)
    withExtendedLifetime(tokens) {}
  }

  @Test("a value and an event")
  func aValueAndAnEvent() {
    let reports = Reports(about: ["typed", "text"])
    let (typed, text) = (Event<Int>("typed", maximumDepth: 40), Observed(0, label: "text", maximumDepth: 40))
    let received = Recorder<Int>()
    let tokens = [
      typed.observe { number in
        received(number)
        text.set(number + 1)
      },
      text.observe { change in
        received(change.new)
        if change.new < beyond { typed.emit(change.new + 1) }
      },
    ]
    typed.emit(1)
    #expect(reachesForty(received.values))
    #expect(reports.labels == [["text", "typed"]])
    withExtendedLifetime(tokens) {}
  }

  @Test("through a derived, which may be the first to reach its depth", arguments: [40, nil] as [Int?])
  func throughADerived(depthOfSource: Int?) {
    let reports = Reports(about: ["width", "area"])
    let width = Observed(0, label: "width", maximumDepth: depthOfSource)
    let area = Derived("area", maximumDepth: 40) { width.value * 2 }
    let received = ChangeRecorder<Int>()
    let token = area.observe { change in
      received(change)
      if width.value < beyond { width.update { $0 += 1 } }
    }
    width.set(1)
    #expect(reachesForty(received.newValues.map { $0 / 2 }) && received.isUnbroken(from: 0))
    #expect(reports.labels == [depthOfSource == nil ? ["area"] : ["area", "width"]])
    // A change that the source rejects is not written. A change that the derived value rejects is written but not notified.
    #expect(area.value == width.value * 2 && received.newValues.last == area.value - (depthOfSource == nil ? 2 : 0))
    width.set(1_000)
    #expect(area.value == 2_000 && received.newValues.last == 2_000 && received.isUnbroken(from: 0))
    token.cancel()
  }

  @Test("the default depth")
  func theDefaultDepth() {
    let reports = Reports(about: ["by default"])
    let (value, received) = (Observed(0, label: "by default"), Recorder<Int>())
    let token = value.observe { change in
      received(change.new)
      if change.new < 20_000 { value.set(change.new + 1) }
    }
    value.set(1)
    #expect((9_999...10_001).contains(received.values.count))
    #expect(reports.labels == [["by default"]])
    token.cancel()
  }

  @Test("one after another")
  func oneAfterAnother() {
    let reports = Reports(about: ["value by value"])
    let (value, received) = (Observed(0, label: "value by value", maximumDepth: 5), ChangeRecorder<Int>())
    let token = value.observe { change in
      received(change)
      if change.new == 1 { for next in 2...100 { value.set(next) } }
    }
    value.set(1)
    for next in 101...200 { value.update { $0 = next } }
    #expect(received.newValues == Array(1...200))
    #expect(reports.labels == [])
    token.cancel()
  }

  @Test("across threads")
  func acrossThreads() {
    let reports = Reports(about: ["busy value"])
    let (value, received) = (Observed(0, label: "busy value", maximumDepth: 5), ChangeRecorder<Int>())
    let token = value.observe { change in
      received(change)
      if change.new < 20 { Threads.elsewhere { value.set(change.new + 1) } }
    }
    value.set(1)
    #expect(received.newValues == Array(1...20))
    #expect(reports.labels == [])
    token.cancel()
  }

  @Test("through an actor")
  func throughAnActor() async {
    let reports = Reports(about: ["remote"])
    let (value, listener, received) = (
      Observed(0, label: "remote", maximumDepth: 40), Listener(), ChangeRecorder<Int>()
    )
    value.observe(with: listener) { _, change in
      received(change)
      if change.new < beyond { value.set(change.new + 1, isolation: nil) }
    }
    value.set(1)
    #expect(await eventually { !reports.labels.isEmpty })
    await listener.run { _ in }
    #expect(reachesForty(received.newValues))
    #expect(reports.labels == [["remote"]])
    #expect(value.value == received.newValues.last, "what was rejected was not written")
  }

  @Test("local values")
  func localValues() {
    let reports = Reports(about: ["local value"])
    let value = LocalObserved(0, label: "local value", maximumDepth: 40)
    var received: [Int] = []
    let token = value.observe { change in
      received.append(change.new)
      if change.new < beyond { value.value = change.new + 1 }
    }
    value.value = 1
    #expect(reachesForty(received))
    #expect(value.value == received.last)
    #expect(reports.labels == [["local value"]])
    token.cancel()
  }
}

/// The value at which a cycle ends if the library does not stop it.
private let beyond = 200

/// Every value up to the depth of 40. Whether what no handler caused is zero or one deep, the sentence leaves open.
private func reachesForty(_ values: [Int]) -> Bool {
  values == Array(1..<40) || values == Array(1...40) || values == Array(1...41)
}
