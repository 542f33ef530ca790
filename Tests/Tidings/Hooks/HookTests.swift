import Testing
import Tidings
import TidingsTesting

@Suite("Hook", .timeLimit(.minutes(20)))
struct HookTests {
  private struct Oops: Error, Equatable { let value: Int }

  @Test("All, the first that satisfies, what they amount to, and whether no handler objects: no other is asked")
  func verbs() async {
    let (hook, may, asked) = (Hook<Int, Int, Never>(), Hook<Int, Bool, Never>(), Recorder<Int>())
    #expect(await hook.all(1) == [])
    #expect(await hook.first(1) == nil)
    #expect(await may.allows(1))
    let tokens = [1, 10, 100].map { factor in
      hook.handle { number in
        asked(factor)
        return number * factor
      }
    }
    #expect(await hook.all(2) == [2, 20, 200])
    #expect(await hook.first(2) == 2)
    #expect(await hook.first(2) { $0 > 5 } == 20)
    #expect(await hook.first(2, where: { $0 > 1_000 }) == nil)
    let sum = await hook.reduce(2, into: 0) { sum, answer in
      sum += answer
      return sum < 20
    }
    #expect(sum == 22)
    #expect(asked.values == [1, 10, 100, 1, 1, 10, 1, 10, 100, 1, 10])
    let limits = [5, 3, 8].map { limit in
      may.handle { number in
        asked(-limit)
        return number < limit
      }
    }
    #expect(await may.allows(2))
    #expect(await !may.allows(4))
    #expect(asked.values.suffix(5) == [-5, -3, -8, -5, -3])
    withExtendedLifetime((tokens, limits)) {}
  }

  @Test("An answer may be nil, and still counts as an answer")
  func optionalAnswers() async {
    let (hook, owner) = (Hook<Int, Int?, Never>(), Owner())
    let token = hook.handle { _ in nil }
    hook.handle(with: owner) { _, _ in nil }
    #expect(await hook.all(1) == [nil, nil])
    #expect(await hook.first(1) == .some(nil))
    withExtendedLifetime((token, owner)) {}
  }

  @Test(
    "A handler's error is thrown to the caller, typed, and no other handler is asked", arguments: [true, false])
  func throwing(isOwned: Bool) async {
    let (hook, asked, owner) = (Hook<Int, Int, Oops>(), Recorder<String>(), Owner())
    let polite = hook.handle { number in
      asked("polite")
      return number
    }
    let fail: @Sendable (Int) throws(Oops) -> Int = { number throws(Oops) in throw Oops(value: number) }
    let rude =
      isOwned
      ? hook.handle(with: owner) { _, number throws(Oops) in try fail(number) }
      : hook.handle { number throws(Oops) in try fail(number) }
    let last = hook.handle { number in
      asked("last")
      return number
    }
    do throws(Oops) {
      _ = try await hook(7)
      Issue.record("nothing was thrown")
    } catch { #expect(error == Oops(value: 7)) }
    await #expect(throws: Oops(value: 8)) { try await hook.first(8) { _ in false } }
    await #expect(throws: Oops(value: 9)) { try await hook.reduce(9, into: 0) { _, _ in true } }
    #expect(asked.values == ["polite", "polite", "polite"])
    // The thrower's call is over: what it captured is released with it.
    await rude.finish()
    #expect(await (try? hook(1)) == [1, 1])
    withExtendedLifetime((polite, last, owner)) {}
  }

  @Test("A question continues when its task is cancelled, and its handlers know")
  func taskCancellation() async {
    let (hook, reached, proceed) = (Hook<Int, Bool, Never>(), Latch(), Latch())
    let waits = hook.handle { _ in
      reached.open()
      await proceed.wait()
      return Task.isCancelled
    }
    let other = hook.handle { _ in Task.isCancelled }
    let asking = Task { await hook.all(1) }
    await reached.wait()
    asking.cancel()
    proceed.open()
    #expect(await asking.value == [true, true])
    withExtendedLifetime((waits, other)) {}
  }

  @Test("A handler of the asker's actor is called without leaving it")
  func staysOnTheActor() async {
    let clerk = Clerk()
    for _ in 0..<20 { #expect(await clerk.asksItself() == ["asked", "answered", "another turn"]) }
  }

  @Test("Diagnostics name the label, the subscriptions and the calls that run")
  func diagnostics() async {
    let (hook, reached, proceed) = (Hook<Int, Int, Never>("firm.ask"), Latch(), Latch())
    let token = hook.handle { number in
      reached.open()
      await proceed.wait()
      return number
    }
    let paused = hook.handle { $0 }
    paused.pause()
    let asking = Task { await hook.first(1) }
    await reached.wait()
    let diagnostics = hook.diagnostics
    #expect(diagnostics.label == "firm.ask" && diagnostics.count == 2)
    #expect(diagnostics.subscriptions.map(\.queued) == [1, 0])
    #expect(diagnostics.subscriptions.map(\.isPaused) == [false, true])
    proceed.open()
    #expect(await asking.value == 1)
    #expect(hook.diagnostics.subscriptions.map(\.queued) == [0, 0])
    hook.cancelAll()
    #expect(!token.isActive && !paused.isActive && hook.diagnostics.count == 0)
    #expect(await hook.all(1) == [])
  }
}

/// An actor that asks and answers.
private actor Clerk {
  private(set) var notes: [String] = []
  private let hook = Hook<Int, Bool, Never>()

  func note(_ text: String) { notes.append(text) }

  /// Another turn of the actor was enqueued before the question: it runs first if the question leaves the actor.
  func asksItself() async -> [String] {
    notes = []
    let token = hook.handle { _ in
      self.notes.append("answered")
      return true
    }
    let turn = Task { self.notes.append("another turn") }
    notes.append("asked")
    _ = await hook.first(1)
    _ = token
    await turn.value
    return notes
  }
}
