import Observation
import Testing
import TidingsMacros
import TidingsTesting

@ObservedProperties @MainActor final class Screen: Observable {
  var title = "start"
  var count = 0
  private(set) var lines: [String] = []
  @Derived var line: String { "\(title) \(count)" }
  func add(_ line: String) { lines.append(line) }
  init() {}
}

@Suite("Models that Observation tracks")
@MainActor struct ObservationTests {
  /// Tracks a read as SwiftUI does: reads again after each notification.
  private func track<Value: Sendable>(_ read: @escaping @MainActor @Sendable () -> Value, into seen: Recorder<Value>) {
    let value = withObservationTracking(read) {
      Task { @MainActor in self.track(read, into: seen) }
    }
    seen(value)
  }

  @Test(
    "`withObservationTracking` is notified of an assignment, of `$set`, of a transaction and of a restored snapshot")
  func tracking() async {
    let (screen, seen) = (Screen(), Recorder<String>())
    track({ "\(screen.line) \(screen.lines.count)" }, into: seen)
    let before = screen.snapshot()
    screen.title = "next"
    _ = await seen.values(atLeast: 2)
    screen.$count.set(7)
    _ = await seen.values(atLeast: 3)
    transaction {
      screen.title = "last"
      screen.count = 8
    }
    _ = await seen.values(atLeast: 4)
    screen.add("line")
    _ = await seen.values(atLeast: 5)
    screen.restore(before)
    let values = await seen.values(atLeast: 6)
    #expect(values == ["start 0 0", "next 0 0", "next 7 0", "last 8 0", "last 8 1", "start 0 0"])
  }

  @Test("A handler that has not read a property is not notified of it")
  func otherProperty() {
    let (screen, notified) = (Screen(), Recorder<Int>())
    _ = withObservationTracking {
      screen.title
    } onChange: {
      notified(1)
    }
    screen.count = 2
    #expect(notified.values == [])
    screen.title = "next"
    #expect(notified.values == [1])
  }

  @Test("A write by another thread is seen, the last value always")
  func otherThreads() async {
    for _ in 0..<20 {
      let (screen, seen, last) = (Screen(), Recorder<Int>(), 50)
      let count = screen.$count
      track({ screen.count }, into: seen)
      let writing = Task.detached { for number in 1...last { count.set(number) } }
      var received = seen.values
      while received.last != last { received = await seen.values(atLeast: received.count + 1) }
      #expect(received == received.sorted())
      await writing.value
    }
  }

  @Test("`Observations` ends on the last value")
  func observations() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    for _ in 0..<20 {
      let (screen, last) = (Screen(), 20)
      let count = screen.$count
      let writing = Task.detached { for number in 1...last { count.set(number) } }
      var seen: [Int] = []
      for await number in Observations({ screen.count }) {
        seen.append(number)
        if number == last { break }
      }
      #expect(seen.last == last)
      await writing.value
    }
  }
}
