import Testing
import Tidings
import TidingsTesting

/// The sentences that hold for hooks, read with *question* for value and *ask* for emit.
@Suite("Hooks", .timeLimit(.minutes(20)))
struct HooksTests {
  @Test("1. Handlers are called in the order in which they were added.")
  func order() async {
    let (hook, local) = (Hook<Int, Int, Never>(), LocalHook<Int, Int, Never>())
    var (tokens, locals): ([Subscription], [LocalSubscription]) = ([], [])
    for number in 0..<100 {
      tokens.append(hook.handle { _ in number })
      locals.append(local.handle { _ in number })
    }
    for index in stride(from: 0, to: 100, by: 3) {
      tokens[index].cancel()
      locals[index].cancel()
    }
    tokens.append(hook.handle { _ in 100 })
    locals.append(local.handle { _ in 100 })
    let expected = (0...100).filter { $0 % 3 != 0 || $0 > 99 }
    #expect(await hook(0) == expected)
    #expect(local(0) == expected)
  }

  @Test(
    """
    3. A handler receives every value emitted after it was added and none emitted before, also when the earlier one is \
    still being delivered.
    """)
  func beginning() async {
    let (hook, victim, added) = (Hook<Int, String, Never>(), Locked<Subscription?>(nil), Locked<[Subscription]>([]))
    let first = hook.handle { number in
      if number == 1 {
        let new = hook.handle { _ in "added" }
        added.withLock { $0.append(new) }
        victim.current?.pause()
        victim.current?.resume()
      }
      return "first"
    }
    victim.current = hook.handle { _ in "resumed" }
    let last = hook.handle { _ in "last" }
    #expect(await hook(1) == ["first", "last"])
    #expect(await hook(2) == ["first", "resumed", "last", "added"])
    withExtendedLifetime((first, last)) {}
  }

  @Test("6. Once `cancel()` has returned, no call of the handler begins, on any path.", arguments: [true, false])
  func cancelling(pauses: Bool) async {
    let (hook, reached, proceed) = (Hook<Int, String, Never>(), Latch(), Latch())
    let first = hook.handle { _ in
      reached.open()
      await proceed.wait()
      return "first"
    }
    let victims = [hook.handle { _ in "plain" }, hook.handle { @MainActor _ in "isolated" }]
    let asking = Task { await hook(1) }
    await reached.wait()
    for victim in victims { if pauses { victim.pause() } else { victim.cancel() } }
    proceed.open()
    #expect(await asking.value == ["first"])
    #expect(await hook(2) == ["first"])
    withExtendedLifetime((first, victims)) {}
  }

  @Test("6. Among threads: once `finish()` has returned no call begins")
  func cancellingAmongThreads() async {
    for count in [1, 2] {
      for _ in 0..<200 {
        let (hook, isOver, late) = (Hook<Int, Int, Never>(), Locked(false), Locked(0))
        let others = (1..<count).map { _ in hook.handle { $0 } }
        let token = hook.handle { number in
          if isOver.current { late.withLock { $0 += 1 } }
          return number
        }
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<2 { group.addTask { for number in 0..<20 { _ = await hook(number) } } }
          group.addTask {
            await token.finish()
            isOver.current = true
          }
        }
        #expect(late.current == 0)
        withExtendedLifetime(others) {}
      }
    }
  }

  @Test("7. `await subscription.finish()` cancels, and returns when no call is running.")
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

  @Test("9. A stale token never cancels another handler: identities are never reused.")
  func identity() async {
    let (hook, local) = (Hook<Int, Int, Never>(), LocalHook<Int, Int, Never>())
    for number in 0..<100 {
      let (stale, staleLocal) = (hook.handle { $0 }, local.handle { $0 })
      stale.cancel()
      staleLocal.cancel()
      let (token, localToken) = (hook.handle { _ in number }, local.handle { _ in number })
      stale.cancel()
      staleLocal.cancel()
      await stale.finish()
      #expect(await hook(0) == [number])
      #expect(local(0) == [number])
      withExtendedLifetime((token, localToken)) {}
    }
  }

  @Test("10. Every operation of a Sendable type may be called from any thread at any time, handlers included.")
  func threads() async {
    let (hook, canaries, answers) = (Hook<Int, Int, Never>(), Canaries(), Locked(0))
    // Two handlers stay: each question has their answers, regardless of the handlers added and removed between them.
    let stays = [hook.handle { $0 }, hook.handle { $0 + 1 }]
    let tasks = (0..<4).map { thread in
      Task.detached {
        var tokens: [Subscription] = []
        for round in 0..<500 {
          switch (round + thread) % 5 {
          case 0:
            tokens.append(
              hook.handle { [canary = canaries.make()] number in
                canary.touch()
                if number % 7 == 0 { await Task.yield() }
                return -1
              })
          case 1: if !tokens.isEmpty { tokens.removeFirst().cancel() }
          case 2: if !tokens.isEmpty { await tokens.removeFirst().finish() }
          case 3:
            tokens.last?.pause()
            tokens.last?.resume()
          default: break
          }
          let found = await hook(round).filter { $0 >= 0 }
          if found == [round, round + 1] { answers.withLock { $0 += 1 } }
        }
      }
    }
    for task in tasks { await task.value }
    #expect(answers.current == 2_000)
    #expect(canaries.alive == 0)
    #expect(hook.diagnostics.count == 2)
    withExtendedLifetime(stays) {}
  }

  @Test(
    """
    11. No lock is held, and no exclusive access to a value is open, while a handler runs. A handler may read, set, add, \
    remove, cancel or emit.
    """)
  func reentrancy() async {
    let (hook, event, value, received) = (Hook<Int, Int, Never>(), Event<Int>(), Observed(0), Recorder<Int>())
    let (own, listening) = (Locked<[Subscription]>([]), event.observe { received($0) })
    let token = hook.handle { number in
      let other = hook.handle { $0 }
      own.withLock { $0.append(other) }
      other.pause()
      other.resume()
      _ = hook.diagnostics
      event.emit(number)
      value.set(number)
      if number < 3 { _ = await hook.first(number + 1) }
      other.cancel()
      return value.value
    }
    #expect(await hook(1) == [3])
    #expect(received.values == [1, 2, 3])
    #expect(hook.diagnostics.count == 1)
    withExtendedLifetime((token, listening)) {}
  }

  @Test("12. A handler isolated to an actor runs on that actor.")
  func isolation() async {
    let (hook, actor) = (Hook<Int, Bool, Never>(), TestActor())
    hook.handle(with: actor) { actor, _ in actor.isHere }
    let onActor = await actor.run { actor in
      hook.handle { number in
        _ = actor
        return actor.isHere
      }
    }
    let onMain = hook.handle { @MainActor _ in
      MainActor.assertIsolated()
      return true
    }
    let nowhere = hook.handle { _ in !actor.isHere }
    #expect(await hook(1).filter { $0 }.count >= 3)
    #expect(await Task { @MainActor in await hook(1) }.value.first == true)
    withExtendedLifetime((onActor, onMain, nowhere)) {}
  }

  @Test(
    """
    14. Dropping the token of `observe` cancels. The tokens of an owner-bound handler may be dropped: they end with the \
    owner, which is held weakly and handed to the handler.
    """)
  func tokens() async {
    let (hook, local) = (Hook<Int, String, Never>(), LocalHook<Int, String, Never>())
    _ = hook.handle { _ in "dropped" }
    _ = local.handle { _ in "dropped" }
    do {
      let owner = Owner()
      hook.handle(with: owner) { [weak owner] handed, _ in handed === owner ? "owned" : "" }
      local.handle(with: owner) { [weak owner] handed, _ in handed === owner ? "owned" : "" }
      #expect(await hook(1) == ["owned"])
      #expect(local(1) == ["owned"])
    }
    #expect(await hook(1) == [])
    #expect(local(1) == [])
    #expect(hook.diagnostics.count == 0 && local.diagnostics.count == 0)
  }

  @Test(
    """
    15. A hook never keeps its owner or a cancelled handler's captures alive: captures are released by `cancel()` itself \
    or, if calls of the handler are running, with the last of them.
    """)
  func captures() async {
    let (hook, canaries, reached, proceed) = (Hook<Int, Int, Never>(), Canaries(), Latch(), Latch())
    let waits = hook.handle { [canary = canaries.make()] number in
      reached.open()
      await proceed.wait()
      canary.touch()
      return number
    }
    let idle = hook.handle { [canary = canaries.make()] number in
      canary.touch()
      return number
    }
    let asking = Task { await hook(1) }
    await reached.wait()
    idle.cancel()
    #expect(canaries.alive == 1, "the question has yet to come to it")
    waits.cancel()
    #expect(canaries.alive == 1)
    proceed.open()
    #expect(await asking.value == [1])
    #expect(canaries.alive == 0)
  }
}
