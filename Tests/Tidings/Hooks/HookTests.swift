import Testing
import Tidings
import TidingsTesting

@Suite("Hook", .timeLimit(.minutes(20)))
struct HookTests {
  private struct Oops: Error, Equatable { let value: Int }

  @Test("All answers come in the order in which the handlers were added")
  func all() async {
    let hook = Hook<Int, String, Never>()
    #expect(await hook.all(1) == [])
    let tokens = ["a", "b", "c"].map { name in hook.handle { "\(name)\($0)" } }
    #expect(await hook.all(1) == ["a1", "b1", "c1"])
    #expect(await hook(2) == ["a2", "b2", "c2"])
    withExtendedLifetime(tokens) {}
  }

  @Test("The first answer that satisfies ends the question: no other handler is asked")
  func first() async {
    let (hook, asked) = (Hook<Int, Int, Never>(), Recorder<String>())
    #expect(await hook.first(1) == nil)
    let tokens = (1...3).map { factor in
      hook.handle { number in
        asked("\(factor)×\(number)")
        return factor * number
      }
    }
    #expect(await hook.first(10) == 10)
    #expect(await hook.first(10) { $0 > 15 } == 20)
    #expect(await hook.first(10, where: { $0 > 100 }) == nil)
    #expect(asked.values == ["1×10", "1×10", "2×10", "1×10", "2×10", "3×10"])
    withExtendedLifetime(tokens) {}
  }

  @Test("An answer may be nil, and is one all the same")
  func optionalAnswers() async {
    let (hook, owner) = (Hook<Int, Int?, Never>(), Owner())
    let token = hook.handle { _ in nil }
    hook.handle(with: owner) { _, _ in nil }
    #expect(await hook.all(1) == [nil, nil])
    #expect(await hook.first(1) == .some(nil))
    withExtendedLifetime((token, owner)) {}
  }

  @Test("What answers amount to is taken up one by one, until it is enough")
  func reduce() async {
    let hook = Hook<Int, Int, Never>()
    let tokens = [1, 10, 100].map { factor in hook.handle { $0 * factor } }
    let all = await hook.reduce(2, into: 0) { sum, answer in
      sum += answer
      return true
    }
    let some = await hook.reduce(2, into: 0) { sum, answer in
      sum += answer
      return sum < 20
    }
    #expect(all == 222 && some == 22)
    withExtendedLifetime(tokens) {}
  }

  @Test("A question is allowed until the first handler objects")
  func allows() async {
    let (hook, asked) = (Hook<Int, Bool, Never>(), Recorder<Int>())
    #expect(await hook.allows(1))
    let tokens = [5, 3, 8].map { limit in
      hook.handle { number in
        asked(limit)
        return number < limit
      }
    }
    #expect(await hook.allows(2))
    #expect(await !hook.allows(4))
    #expect(asked.values == [5, 3, 8, 5, 3])
    withExtendedLifetime(tokens) {}
  }

  @Test("What a handler throws is thrown to the caller, typed, and no other handler is asked")
  func throwing() async {
    let (hook, asked) = (Hook<Int, Int, Oops>(), Recorder<String>())
    let polite = hook.handle { number in
      asked("polite")
      return number
    }
    let rude = hook.handle { number throws(Oops) in
      asked("rude")
      throw Oops(value: number)
    }
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
    #expect(asked.values == ["polite", "rude", "polite", "rude", "polite", "rude"])
    // The thrower's call is over: what it captured is released with it.
    await rude.finish()
    #expect(await (try? hook(1)) == [1, 1])
    withExtendedLifetime((polite, last)) {}
  }

  @Test("What an owner's handler throws is thrown as well")
  func throwingOwner() async {
    let (hook, owner) = (Hook<Int, Int, Oops>(), Owner())
    hook.handle(with: owner) { _, number throws(Oops) in throw Oops(value: number) }
    await #expect(throws: Oops(value: 1)) { try await hook(1) }
    withExtendedLifetime(owner) {}
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

  @Test("A handler of another actor is awaited there, and the order is kept")
  func otherActors() async {
    let (hook, clerks) = (Hook<Int, String, Never>(), (0..<4).map { _ in Clerk() })
    for (index, clerk) in clerks.enumerated() {
      hook.handle(with: clerk) { clerk, number in
        clerk.note("\(number)")
        return "clerk \(index)"
      }
    }
    let onMain = hook.handle { @MainActor _ in
      MainActor.assertIsolated()
      return "main"
    }
    for number in 0..<20 {
      #expect(await hook(number) == ["clerk 0", "clerk 1", "clerk 2", "clerk 3", "main"])
    }
    for clerk in clerks {
      let notes = await clerk.notes
      #expect(notes == (0..<20).map { "\($0)" })
    }
    withExtendedLifetime(onMain) {}
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
