import Testing
import Tidings
import TidingsTesting

/// What happens to handlers while a question is under way.
@Suite("Hook, while it asks", .timeLimit(.minutes(20)))
struct HookAskingTests {
  @Test("A handler that is cancelled or paused in mid-question is passed over, one that is added is not asked")
  func changedMidQuestion() async {
    let changes: [@Sendable (Subscription) -> Void] = [
      { $0.cancel() }, { $0.pause() },
      {
        $0.pause()
        $0.resume()
      },
    ]
    for change in changes {
      let (hook, victim, added) = (Hook<Int, String, Never>(), Locked<Subscription?>(nil), Locked<[Subscription]>([]))
      let first = hook.handle { number in
        if number == 1 {
          change(victim.current!)
          let new = hook.handle { _ in "added" }
          added.withLock { $0.append(new) }
        }
        return "first"
      }
      victim.current = hook.handle { _ in "victim" }
      let last = hook.handle { _ in "last" }
      #expect(await hook(1) == ["first", "last"])
      let isAsked = victim.current!.isActive && !hook.diagnostics.subscriptions[1].isPaused
      #expect(await hook(2) == (isAsked ? ["first", "victim", "last", "added"] : ["first", "last", "added"]))
      withExtendedLifetime((first, last)) {}
    }
  }

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

  @Test("`finish` waits for the calls of its own handler, all of them, and for no other")
  func finishing() async {
    let (hook, log) = (Hook<Int, Int, Never>(), Recorder<String>())
    let (proceed, others) = ([Latch(), Latch()], Latch())
    let token = hook.handle { number in
      log("begins")
      await proceed[number].wait()
      log("ends")
      return number
    }
    let other = hook.handle { number in
      log("other")
      await others.wait()
      return number
    }
    let asking = (0...1).map { number in Task { await hook(number) } }
    _ = await log.values(atLeast: 2)
    let finishers = (0...1).map { _ in
      Task {
        await token.finish()
        log("finished")
      }
    }
    while token.isActive { await Task.yield() }
    for _ in 0..<50 { await Task.yield() }
    #expect(log.values == ["begins", "begins"])
    proceed[0].open()
    _ = await log.values(atLeast: 4)
    for _ in 0..<50 { await Task.yield() }
    #expect(!log.values.contains("finished"), "one call still runs")
    proceed[1].open()
    for finisher in finishers { await finisher.value }
    _ = await log.values(atLeast: 8)
    #expect(log.values.filter { $0 == "ends" }.count == 2)
    #expect(other.isActive)
    others.open()
    for task in asking { #expect(await task.value.count == 2) }
  }

  @Test("A handler may wait for the end of another that was added in its own call")
  func finishesAnother() async {
    let hook = Hook<Int, Int, Never>()
    let token = hook.handle { number in
      if number == 0 { return 0 }
      let other = hook.handle { $0 }
      #expect(await hook(0) == [0, 0])
      await other.finish()
      return number
    }
    #expect(await hook(1) == [1])
    withExtendedLifetime(token) {}
  }

  @Test("Captures of a cancelled handler are released immediately while others wait, or with its last call")
  func captures() async {
    for count in [1, 3] {
      let (hook, canaries, idle) = (Hook<Int, Int, Never>(), Canaries(), Canaries())
      let (reached, proceed) = (Latch(), Latch())
      let token = hook.handle { [canary = canaries.make()] number in
        reached.open()
        await proceed.wait()
        canary.touch()
        return number
      }
      var others = (1..<count).map { _ in
        hook.handle { [canary = idle.make()] number in
          canary.touch()
          return number
        }
      }
      let asking = Task { await hook(1) }
      await reached.wait()
      // Also one that has come since.
      others.append(
        hook.handle { [canary = idle.make()] number in
          canary.touch()
          return number
        })
      #expect(idle.alive == count)
      for other in others { other.cancel() }
      #expect(idle.alive == 0, "none of them is being called")
      token.cancel()
      #expect(canaries.alive == 1)
      proceed.open()
      #expect(await asking.value == [1])
      #expect(canaries.alive == 0)
      withExtendedLifetime((token, others)) {}
    }
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

  @Test("A handler asks its own hook; questions of several tasks overlap")
  func overlapping() async {
    let hook = Hook<Int, Int, Never>()
    let token = hook.handle { number in
      if number == 0 { return 0 }
      return await hook.first(number - 1)! + number
    }
    #expect(await hook.first(10) == 55)
    let (meeting, count) = (Recorder<Int>(), 10)
    let meets = Hook<Int, Int, Never>()
    let other = meets.handle { number in
      meeting(number)
      _ = await meeting.values(atLeast: count)  // until all are here
      return number
    }
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<count { group.addTask { await meets.first(number) == number } }
      for await isRight in group { #expect(isRight) }
    }
    withExtendedLifetime((token, other)) {}
  }

  @Test("An owner's handler is there as long as the owner, and does not keep it")
  func owners() async {
    let (hook, canaries) = (Hook<Int, String, Never>(), Canaries())
    var owner: Owner? = Owner()
    weak let released = owner
    hook.handle(with: owner!) { [canary = canaries.make()] _, number in
      canary.touch()
      return "owned \(number)"
    }
    let plain = hook.handle { "plain \($0)" }
    #expect(await hook(1) == ["owned 1", "plain 1"])
    owner = nil
    #expect(released == nil)
    #expect(await hook(2) == ["plain 2"])
    #expect(canaries.alive == 0 && hook.diagnostics.count == 1)
    withExtendedLifetime(plain) {}
  }

  @Test("A hook that is never asked does not collect the handlers of owners that were deinitialized")
  func collectedOwners() {
    let hook = Hook<Int, Int, Never>()
    for _ in 0..<1_000 { hook.handle(with: Owner()) { $1 } }
    #expect(hook.diagnostics.count < 20)
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
    #expect((10_000...10_010).contains(depth), "\(depth)")
    #expect(await reported.values(atLeast: 1).count == 1)
    withExtendedLifetime((token, reports)) {}
  }
}
