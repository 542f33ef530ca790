import Testing
import Tidings
import TidingsTesting

/// A notification does not keep its value alive: code that drops it in a handler, or on another thread, drops it.
@Suite("Derived values that are destroyed while they are notified")
struct DestroyedDuringNotificationTests {
  /// A watched value with all that keeps it.
  private struct Kept: Sendable {
    let value: Derived<Int>
    let token: Subscription

    init(_ source: Observed<Int>, _ canaries: Canaries, _ handler: @escaping @Sendable (Int) -> Void) {
      let (computing, notification) = (canaries.make(), canaries.make())
      value = Derived {
        computing.touch()
        return source.value
      }
      token = value.observe {
        notification.touch()
        handler($0.new)
      }
    }
  }

  @Test(
    "In its own handler, which may change it: the handler returns, then all of it is destroyed, and what it has caused",
    arguments: [false, true])
  func inItsOwnHandler(changesIt: Bool) async {
    let (canaries, received, source) = (Canaries(), Recorder<Int>(), Observed(0))
    let kept = Locked<Kept?>(nil)
    kept.current = Kept(source, canaries) {
      if changesIt { source.set($0 + 1) }
      kept.current = nil
      received($0)
    }
    source.set(1)
    if !changesIt { source.set(2) }
    #expect(received.values == [1])
    #expect(await canaries.quiesce())
  }

  @Test("In a handler that is notified before: it is not notified any more, and is destroyed")
  func inAHandlerBefore() async {
    let (canaries, received, source) = (Canaries(), Recorder<String>(), Observed(0))
    let other = Locked<Kept?>(nil)
    let first = Kept(source, canaries) {
      other.current = nil
      received("first \($0)")
    }
    other.current = Kept(source, canaries) { received("other \($0)") }
    source.set(1)
    #expect(received.values == ["first 1"])
    #expect(await canaries.quiesce(atMost: 2) && canaries.alive == 2)
    source.set(2)
    #expect(received.values == ["first 1", "first 2"])
    withExtendedLifetime(first) {}
  }

  @Test("In the `deinit` of a value that it had, and that no handler has been notified of")
  func atTheEndOfAValue() async {
    let (canaries, source) = (Canaries(), Observed(0))
    let kept = Locked<[any Sendable]>([])
    func keep(_ derived: Derived<Equal>) { kept.current = [derived.observe { _ in }, derived] }
    keep(
      Derived { [canary = canaries.make()] in
        canary.touch()
        let number = source.value
        return Equal { if number > 0 { kept.current = [] } }
      })
    source.set(1)
    source.set(2)
    #expect(await canaries.quiesce())
    #expect(kept.current.isEmpty)
  }
  private final class Equal: Equatable, Sendable {
    let onEnd: @Sendable () -> Void
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
    deinit { onEnd() }
    static func == (_: Equal, _: Equal) -> Bool { true }
  }

  @Test("On another thread, at any moment")
  func onAnotherThread() async {
    let (canaries, source) = (Canaries(), Observed(0))
    let isOver = Locked(false)
    let writer = Gate()
    Threads.start {
      while !isOver.current { source.update { $0 += 1 } }
      writer.open()
    }
    for _ in 0..<2_000 {
      let kept = [Kept(source, canaries) { _ in }, Kept(source, canaries) { _ in }]
      withExtendedLifetime(kept) {}
    }
    isOver.current = true
    await writer.wait()
    #expect(await canaries.quiesce())
  }
}
