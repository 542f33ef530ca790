import Testing
import Tidings
import TidingsTesting

/// Changes to handlers while a question is in progress.
@Suite("Hook, while it asks", .timeLimit(.minutes(20)))
struct HookAskingTests {
  @Test("A handler may cancel itself, and then answers its last question")
  func cancelsItself() async {
    let (hook, canaries, own) = (Hook<Int, Int, Never>(), Canaries(), Locked<Subscription?>(nil))
    own.current = hook.handle { [canary = canaries.make()] number in
      own.current!.cancel()
      #expect(canaries.alive == 1)
      canary.touch()
      return number
    }
    #expect(await hook(1) == [1])
    #expect(canaries.alive == 0)
    #expect(await hook(2) == [])
  }

  @Test("A hook that is dropped in mid-question is asked to the end, and then its handlers are released")
  func droppedMidQuestion() async {
    let canaries = Canaries()
    let (reached, proceed) = (Latch(), Latch())
    let hook = Locked<Hook<Int, Int, Never>?>(Hook())
    let tokens = (0..<3).map { index in
      hook.current!.handle { [canary = canaries.make()] number in
        if index == 0 {
          reached.open()
          await proceed.wait()
        }
        canary.touch()
        return number + index
      }
    }
    let asking = Task {
      let taken = hook.current!
      hook.current = nil
      return await taken(1)
    }
    await reached.wait()
    #expect(hook.current == nil)
    proceed.open()
    #expect(await asking.value == [1, 2, 3])
    #expect(await canaries.quiesce())
    #expect(tokens.allSatisfy { !$0.isActive })
  }

  @Test("A hook that is never asked does not collect the handlers of owners that were deinitialized")
  func collectedOwners() {
    let (hook, local) = (Hook<Int, Int, Never>(), LocalHook<Int, Int, Never>())
    for _ in 0..<1_000 {
      hook.handle(with: Owner()) { $1 }
      local.handle(with: Owner()) { $1 }
    }
    #expect(hook.diagnostics.count < 20)
    #expect(local.diagnostics.count < 20)
  }

  @Test("An owner lives while its handler answers, and the handler ends with it")
  func ownerInCall() async {
    let (hook, reached, proceed) = (Hook<Int, Int, Never>(), Latch(), Latch())
    let owner = Locked<Owner?>(Owner())
    weak let seen = owner.current
    hook.handle(with: owner.current!) { _, number in
      reached.open()
      await proceed.wait()
      return number
    }
    let asking = Task { await hook(1) }
    await reached.wait()
    owner.current = nil
    #expect(seen != nil)
    proceed.open()
    #expect(await asking.value == [1])
    #expect(await hook(2) == [])
  }

  @Test("Cycles of hooks are stopped and reported, however the calls wait")
  func cycles() async {
    let (first, second) = (Hook<Int, Int, Never>("hook.ping", maximumDepth: 20), Hook<Int, Int, Never>("hook.pong"))
    let reported = Recorder<Diagnostics.Report>()
    let reports = Diagnostics.reports.observe { if $0.labels.contains("hook.ping") { reported($0) } }
    let (tokens, deepest) = ([first.handle { await second.first($0 + 1) ?? $0 }], Recorder<Int>())
    let back = second.handle { number in
      await Task.yield()
      if number < 10_000 { return await first.first(number + 1) ?? number }
      return number
    }
    let answer = await first.first(0)!
    deepest(answer)
    #expect((20...80).contains(answer), "\(answer)")
    let report = await reported.values(atLeast: 1)[0]
    #expect(report.message.contains("hook.ping → hook.pong → hook.ping"))
    withExtendedLifetime((tokens, back, reports)) {}
  }

  @Test("Many simultaneous callers are no cycle")
  func manyAskers() async {
    let (hook, here, count) = (Hook<Int, Int, Never>("hook.crowded", maximumDepth: 8), Recorder<Int>(), 200)
    let token = hook.handle { number in
      here(number)
      _ = await here.values(atLeast: count)
      return number
    }
    let answers = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<count { group.addTask { await hook.first(number) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.compactMap { $0 }.count == count)
    withExtendedLifetime(token) {}
  }

  @Test("A cycle is ten thousand deep at most, on any stack")
  func deepCycle() async {
    let hook = Hook<Int, Int, Never>("hook.deep")
    let reported = Recorder<Diagnostics.Report>()
    let reports = Diagnostics.reports.observe { if $0.labels.contains("hook.deep") { reported($0) } }
    let token = hook.handle { number in await hook.first(number + 1) ?? number }
    let depth = await hook.first(0)!
    // The numbers begin with 0, and four calls are not tracked.
    #expect(depth == 10_003)
    #expect(await reported.values(atLeast: 1).count == 1)
    withExtendedLifetime((token, reports)) {}
  }
}
