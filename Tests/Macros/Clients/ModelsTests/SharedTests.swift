import Testing
import TidingsMacros
import TidingsTesting

@ObservedProperties final class Settings: Sendable {
  var name = "Ada"
  @ObservedAs(.distinct) var volume: Double
  var tags: [String] = []
  var count = 0
  let id: Int
  @Derived var title: String { "\(id) \(name) at \(volume)" }

  init(id: Int, volume: Double = 0.5, name: String = "Ada") {
    self.id = id
    self.volume = volume
    $name.set(name)
  }
}

@ObservedProperties final class Meter: Sendable {
  private(set) var count = 0
  private(set) var limit = 0
  init(limit: Int) { _limit.set(limit) }
  func increment() { _count.update { $0 += 1 } }
}

@Suite("Models that threads share")
struct SharedTests {
  @Test("Properties are read as any other, and set by `$`")
  func reading() {
    let (settings, received) = (Settings(id: 1, name: "Grace"), Recorder<String>())
    let token = settings.$title.observe { change in received(change.new) }
    settings.$volume.set(0.7)
    settings.$volume.set(0.7)
    settings.$tags.update { $0.append("new") }
    #expect(received.values == ["1 Grace at 0.7"])
    #expect(settings.volume == 0.7)
    #expect(settings.tags == ["new"])
    token.cancel()
  }

  @Test("Four threads lose no update, and the derived value ends on the last")
  func threads() async {
    let (settings, rounds) = (Settings(id: 1), 2_000)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for round in 0..<rounds {
            settings.$count.update { $0 += 1 }
            if thread == 0 { settings.$volume.set(Double(round)) }
            _ = settings.$title.value
          }
        }
      }
    }
    #expect(settings.count == 4 * rounds)
    #expect(settings.$title.value == "1 Ada at \(Double(rounds - 1))")
  }

  @Test("A property with a private setter is observed by others, and updated by its class alone")
  func privateSetter() {
    let (meter, received) = (Meter(limit: 3), Recorder<Int>())
    let token = meter.$count.observe { change in received(change.new) }
    let shown: ReadOnly<Int> = meter.$limit
    meter.increment()
    meter.increment()
    #expect(received.values == [1, 2])
    #expect((meter.count, shown.value) == (2, 3))
    #expect(meter[keyPath: \.count] == 2)
    token.cancel()
  }

  @Test("Two threads that ask simultaneously for a value made at its first use get the same value")
  func firstUse() async {
    for _ in 0..<200 {
      let settings = Settings(id: 1)
      async let one = settings.$title
      async let other = settings.$title
      let (first, second) = await (one, other)
      #expect(first === second)
    }
  }
}
