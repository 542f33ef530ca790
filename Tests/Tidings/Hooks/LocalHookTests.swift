import Testing
import Tidings
import TidingsTesting

@Suite("LocalHook")
struct LocalHookTests {
  private final class Field { var text = "" }
  private struct Oops: Error, Equatable { let value: Int }

  @Test("Questions, answers and handlers need not be Sendable")
  func ofOneIsolation() {
    let hook = LocalHook<Field, Field, Never>()
    var seen: [Field] = []
    let token = hook.handle { field in
      seen.append(field)
      return field
    }
    let field = Field()
    #expect(hook.first(field) === field)
    #expect(hook(field).count == 1 && seen.count == 2)
    token.cancel()
  }

  @Test("All, the first that satisfies, what they amount to, and whether no handler objects")
  func verbs() {
    let (hook, may) = (LocalHook<Int, Int, Never>(), LocalHook<Int, Bool, Never>())
    #expect(hook(1) == [] && hook.first(1) == nil && may.allows(1))
    var asked: [Int] = []
    let tokens = [1, 10, 100].map { factor in
      hook.handle { number in
        asked.append(factor)
        return number * factor
      }
    }
    #expect(hook.all(2) == [2, 20, 200])
    asked = []
    #expect(hook.first(2) == 2)
    #expect(hook.first(2) { $0 > 5 } == 20)
    let sum = hook.reduce(2, into: 0) { sum, answer in
      sum += answer
      return sum < 20
    }
    #expect(sum == 22)
    #expect(asked == [1, 1, 10, 1, 10])
    let limits = [5, 3, 8].map { limit in may.handle { $0 < limit } }
    #expect(may.allows(2) && !may.allows(4))
    withExtendedLifetime((tokens, limits)) {}
  }

  @Test("A handler's error is thrown to the caller, typed, and no other handler is asked")
  func throwing() {
    let hook = LocalHook<Int, Int, Oops>()
    var asked: [String] = []
    let rude = hook.handle { number throws(Oops) in
      asked.append("rude")
      throw Oops(value: number)
    }
    let last = hook.handle { number in
      asked.append("last")
      return number
    }
    do throws(Oops) {
      _ = try hook(7)
      Issue.record("nothing was thrown")
    } catch { #expect(error == Oops(value: 7)) }
    rude.cancel()
    #expect((try? hook(1)) == [1])
    #expect(asked == ["rude", "last"])
    withExtendedLifetime(last) {}
  }

  @Test("A handler that is cancelled or paused in mid-question is passed over, one that is added is not asked")
  func changedMidQuestion() {
    for cancels in [true, false] {
      let hook = LocalHook<Int, String, Never>()
      var (victim, added): (LocalSubscription?, [LocalSubscription]) = (nil, [])
      let first = hook.handle { number in
        if number == 1 {
          if cancels { victim!.cancel() } else { victim!.pause() }
          for _ in 0..<8 { added.append(hook.handle { _ in "added" }) }  // more than there was room for
        }
        return "first"
      }
      victim = hook.handle { _ in "victim" }
      let last = hook.handle { _ in "last" }
      #expect(hook(1) == ["first", "last"])
      victim!.resume()
      #expect(hook.first(2) { $0 == "victim" } == (cancels ? nil : "victim"))
      #expect(hook(2).suffix(8) == Array(repeating: "added", count: 8)[...])
      withExtendedLifetime((first, last)) {}
    }
  }

  @Test("A handler asks its own hook, and the inner question is answered first")
  func nested() {
    let hook = LocalHook<Int, Int, Never>()
    var victim: LocalSubscription?
    let token = hook.handle { number in
      if number == 0 {
        victim!.cancel()
        return 0
      }
      return hook(number - 1).reduce(0, +) + number
    }
    victim = hook.handle { _ in 1_000 }
    #expect(hook(3) == [6], "the innermost question has cancelled it for all that were under way")
    withExtendedLifetime(token) {}
  }

  @Test("Captures of a handler that cancels itself are released when the outermost question is answered")
  func captures() {
    let (hook, canaries) = (LocalHook<Int, Int, Never>(), Canaries())
    var own: LocalSubscription?
    own = hook.handle { [canary = canaries.make()] number in
      own!.cancel()
      canary.touch()
      return canaries.alive
    }
    #expect(hook(1) == [1])
    #expect(canaries.alive == 0)
  }

  @Test("A hook that is dropped in mid-question is asked to the end, and its subscriptions end then")
  func droppedMidQuestion() {
    var hook: LocalHook<Int, Int, Never>? = LocalHook()
    var tokens = [
      hook!.handle { number in
        hook = nil
        return number
      }
    ]
    tokens.append(hook!.handle { $0 + 1 })
    #expect(hook!(1) == [1, 2])
    #expect(hook == nil && tokens.allSatisfy { !$0.isActive })
  }

  @Test("Cycles are stopped and reported")
  func cycles() async {
    let hook = LocalHook<Int, Int, Never>("hook.local", maximumDepth: 20)
    let reported = Recorder<Diagnostics.Report>()
    let reports = Diagnostics.reports.observe { if $0.labels.contains("hook.local") { reported($0) } }
    let token = hook.handle { number in hook.first(number + 1) ?? number }
    #expect(hook.first(1) == 20)
    #expect(await reported.values(atLeast: 1)[0].message.contains("hook.local → hook.local"))
    #expect(hook.diagnostics.label == "hook.local")
    hook.cancelAll()
    #expect(!token.isActive && hook(1) == [])
    withExtendedLifetime(reports) {}
  }
}
