import Testing
import Tidings
import TidingsState
import TidingsTesting

@Suite("Async derived values that follow others")
struct AsyncDerivedFollowingTests {
  @Test("One that awaits another's loaded() follows it")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func awaitsAnothersOutput() async throws {
    let (number, source) = (Observed(1), Locked(10))
    let first = AsyncDerived { number.value * source.current }
    let second = AsyncDerived { try await first.loaded() + 1 }
    #expect(try await second.loaded() == 11)
    number.set(2)
    #expect(try await second.loaded() == 21)
    source.current = 100
    first.reload()
    #expect(try await second.loaded() == 201)
  }

  @Test("It follows from the main actor too")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor func awaitsAnothersOutputOnTheMainActor() async throws {
    let number = Observed(1)
    let first = AsyncDerived { number.value * 10 }
    let second = AsyncDerived { try await first.loaded() + 1 }
    #expect(try await second.loaded() == 11)
    number.set(2)
    #expect(try await second.loaded() == 21)
  }

  @Test("reload() in a computation reloads after it, and is not reported")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func reloadInAComputation() async throws {
    let (number, computations, reports) = (Observed(0), Tallied(), Recorder<String>())
    let token = Diagnostics.reports.observe { reports($0.message) }
    let answer = AsyncDerived("reloaded") { () async -> Int in computations.next() }
    #expect(try await answer.loaded() == 1)
    let made = Derived { () -> Int in
      if number.value > 0 { answer.reload() }
      return number.value
    }
    #expect(made.value == 0)
    number.set(1)
    #expect(made.value == 1)
    #expect(answer.value.isLoading || answer.value.output == 2)
    #expect(try await answer.loaded() == 2)
    await Diagnostics.reports.drained()
    #expect(reports.values.filter { $0.contains("reloaded") || $0.contains("TidingsState/") } == [])
    token.cancel()
  }

  @Test("An older answer is no previous output after a newer one")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func olderAnswers() async throws {
    // A computation that has been replaced is cancelled late while the closure of another value runs elsewhere.
    let (number, server) = (Observed(1), Server())
    let answer = AsyncDerived { try await server.ask(number.value) }
    let (entered, proceed, ended, enters) = (Gate(), Gate(), Gate(), Observed(false))
    let slow = Derived { () -> Int in
      let value = number.value
      if enters.value {
        entered.open()
        proceed.wait()
      }
      return value
    }
    let token = answer.observe { _ in }
    _ = slow.value
    enters.set(true)
    Threads.start {
      _ = slow.value
      ended.open()
    }
    await entered.wait()
    number.set(2)
    #expect(await server.answer(2))
    #expect(try await answer.loaded() == "answer 2")
    #expect(await server.answer(1))
    await settle()
    proceed.open()
    await ended.wait()
    number.set(3)
    #expect(answer.value.latest == "answer 2")
    withExtendedLifetime(token) {}
  }
  /// Lets the tasks that are ready run.
  private func settle() async { for _ in 0..<100 { await Task.yield() } }

  @Test("An initial output is there before the first one, and the closure can get the one before")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func initialAndPrevious() async throws {
    let number = Observed(1)
    let shown = AsyncDerived(initial: "none") { "number \(number.value)" }
    let (gate, waiting) = (Gate(), Observed(1))
    let slow = AsyncDerived(initial: 7) { () async -> Int in
      _ = waiting.value
      await gate.wait()
      return 8
    }
    #expect(slow.value.isLoading && slow.value.latest == 7)
    gate.open()
    #expect(try await slow.loaded() == 8)
    #expect(try await shown.loaded() == "number 1")
    let sum = AsyncDerived(initial: 100) { previous in previous + number.value }
    #expect(try await sum.loaded() == 101)
    number.set(10)
    #expect(try await sum.loaded() == 111)
    let explicit = AsyncDerived(of: number, initial: 5) { number in number }
    #expect(explicit.value.latest == 5)
    #expect(try await explicit.loaded() == 10)
  }
}

private final class Tallied: Sendable {
  private let count = Locked(0)
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
