import Testing
import Tidings
import TidingsTesting

@Suite("Mistakes that stop a program with a message")
struct MistakesTests {
  private static func message(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("A maximum depth below 1 would reject what no handler causes")
  func maximumDepth() async {
    let event = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Event<Int>(maximumDepth: 0)
    }
    #expect(Self.message(event).contains("maximumDepth must be at least 1"))
    await #expect(processExitsWith: .failure) { _ = LocalEvent<Int>(maximumDepth: 0) }
    await #expect(processExitsWith: .failure) { _ = Hook<Int, Int, Never>(maximumDepth: 0) }
    await #expect(processExitsWith: .failure) { _ = Observed(0, maximumDepth: 0) }
    #expect(Event<Int>(maximumDepth: 1).diagnostics.count == 0)
  }

  @Test("One handler that is attached to two sources: cancelling one subscription would stop the other")
  func attachedTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (one, two) = (Event<Int>(), Event<Int>())
      let both = Both(one: one, two: two).map { $0 + 1 }.observe { _ in }
      withExtendedLifetime(both) {}
    }
    #expect(Self.message(result).contains("an EventHandler was attached twice"))
    await #expect(processExitsWith: .failure) {
      let (one, two) = (Event<Int>(), Event<Int>())
      Both(one: one, two: two).once { _ in }
    }
  }

  #if DEBUG
  @Test("An emit that says that it is on the main actor, and is not, stops a debug build")
  func offTheMainActor() async {
    await #expect(processExitsWith: .failure) {
      let event = Event<Int>()
      let token = event.observe { @MainActor _ in }
      await Task.detached { event.emit(1, isolation: nil) }.value
      // As the compiler fills it in where a client of Swift 5 mode forms a closure on the main actor and runs it elsewhere.
      await Threads.elsewhere { emit(event, 2) }
      withExtendedLifetime(token) {}
    }
    // On the main actor nothing is stopped.
    await MainActor.run { Event<Int>().emit(1) }
  }
  #endif
}

/// Hands one handler on to two sources.
private struct Both: EventSource {
  let one: Event<Int>
  let two: Event<Int>
  func attach(_ handler: EventHandler<Int>) -> Subscription {
    let first = one.attach(handler)
    defer { withExtendedLifetime(first) {} }
    return two.attach(handler)
  }
}

#if DEBUG
private struct OnMain { let call: @MainActor (Event<Int>, Int) -> Void }
private struct Anywhere { let call: (Event<Int>, Int) -> Void }
@MainActor private func emitOnMain(_ event: Event<Int>, _ value: Int) { event.emit(value) }
private func emit(_ event: Event<Int>, _ value: Int) {
  unsafeBitCast(OnMain(call: emitOnMain), to: Anywhere.self).call(event, value)
}
#endif
