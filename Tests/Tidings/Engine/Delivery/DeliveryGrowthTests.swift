import Testing
import Tidings
import TidingsTesting

/// How the work grows when everything is eight times as much: linear work takes eight times as long, quadratic work 64 times. The
/// measure is the processor time of the thread, the best of three. The least growth of three is taken, because other programs have
/// their share of the processor's caches.
@Suite("Growth of delivery")
struct DeliveryGrowthTests {
  @Test(
    "Handlers that are added while as many values wait, which none of them is to receive, cost time in proportion to their number"
  )
  func addingWhileValuesWait() {
    let growth = Self.growth(from: 500) { count in
      let (event, tokens) = (Event<Int>(), Locked<[Subscription]>([]))
      let first = event.observe { value in
        guard value == 0 else { return }
        event.emit(contentsOf: 1...count)
        tokens.current = (0..<count).map { _ in event.observe { _ in Issue.record("emitted before it was added") } }
      }
      event.emit(0)
      first.cancel()
    }
    #expect(growth < 24, "\(growth) times as long for eight times as many")
  }

  @Test("Pausing and resuming each of n handlers within one immediate emit is no worse than quadratic")
  func pausingAndResumingInAnImmediateEmit() {
    let growth = Self.growth(from: 60) { count in
      let event = Event<Int>(policy: .immediate)
      let tokens = Locked<[Subscription]>([])
      let first = event.observe { _ in
        for token in tokens.current {
          token.pause()
          token.resume()
        }
      }
      tokens.current = (0..<count).map { _ in event.observe { _ in } }
      event.emit(0)
      first.cancel()
      tokens.current = []
    }
    // Each resume may look at every handler.
    #expect(growth < 160, "\(growth) times as long for eight times as many")
  }

  /// How many times as long `body` takes for eight times as many.
  private static func growth(from count: Int, _ body: (Int) -> Void) -> Double {
    body(count)
    return (0..<3).map { _ in best { body(count * 8) } / max(best { body(count) }, 1e-6) }.min() ?? .infinity
  }

  private static func best(_ body: () -> Void) -> Double {
    (0..<3).map { _ in
      let start = Threads.processorTime
      body()
      return Threads.processorTime - start
    }.min() ?? 0
  }
}
