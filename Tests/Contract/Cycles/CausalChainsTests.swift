import Testing
import Tidings
import TidingsTesting

@Suite("Cycles, and the chains of others")
struct CausalChainsTests {
  @Test(
    "23. A cycle through destroyed captures is stopped and reported, on a small stack",
    arguments: [DeliveryPolicy.serial, .immediate])
  func throughDestroyedCaptures(policy: DeliveryPolicy) async {
    let label = "reborn \(policy)"
    let reports = Reports(about: [label])
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let (event, current) = (Event<Int>(label, policy: policy), Locked<Subscription?>(nil))
      let last = Locked(0)
      @Sendable func subscribe() {
        let renewed = event.observe { [callback = DeinitCallback { event.emit(last.current) }] value in
          callback.touch()
          last.current = value + 1
          subscribe()
        }
        current.current = renewed
      }
      subscribe()
      event.emit(0)
      current.current = nil
      event.cancelAll()
    }
    #expect(reports.labels == [[label]])
  }

  @Test(
    "23. A finite chain of destroyed captures is delivered whole, and takes no stack",
    arguments: [DeliveryPolicy.serial, .immediate])
  func victims(policy: DeliveryPolicy) async {
    let label = "victims \(policy)"
    let (reports, received) = (Reports(about: [label]), Locked(0))
    await Threads.elsewhere(stackSize: Threads.smallStack) {
      let event = Event<Int>(label, policy: policy)
      let victims = Locked<[Subscription]>([])
      let first = event.observe { _ in
        received.withLock { $0 += 1 }
        // Cancelled outside the lock: its capture emits when it is destroyed.
        withExtendedLifetime(victims.withLock { $0.popLast() }) {}
      }
      for _ in 0..<2_000 {
        let victim = event.observe { [callback = DeinitCallback { event.emit(1) }] _ in callback.touch() }
        victims.withLock { $0.append(victim) }
      }
      event.emit(0)
      first.cancel()
    }
    #expect(received.current == 2_001)
    #expect(reports.labels.isEmpty)
  }

  @Test("23. How many values of depth 1 wait does not reject one that came along 17 other events")
  func whatWaitsAtTheSurface() async {
    let reports = Reports(about: ["last"])
    let (last, received) = (Event<Int>("last"), Recorder<Int>())
    let chain = (0..<17).map { Event<Int>("link \($0)") } + [last]
    var tokens = zip(chain, chain.dropFirst()).map { event, next in event.observe { next.emit($0) } }
    let (isInside, filled) = (Gate(), Gate())
    tokens.append(
      last.observe { value in
        if value < 0 {
          isInside.open()
          _ = filled.wait()
        } else if value == 0 {
          received(value)
        }
      })
    await Threads.together(2) { thread in
      if thread == 0 { return last.emit(-1) }
      _ = isInside.wait()
      for value in 1...65_540 { last.emit(value) }
      chain[0].emit(0)
      filled.open()
    }
    #expect(await eventually { received.values == [0] })
    #expect(reports.labels.isEmpty)
    withExtendedLifetime(tokens) {}
  }

  @Test("23. While one thread's cycle is rejected, another's chain of 21 is not")
  func anotherThreadsChain() async {
    let reports = Reports(about: ["shared"])
    let (event, received) = (Event<Int>("shared", maximumDepth: 100), Recorder<Int>())
    let (isRejected, counted) = (Gate(), Gate())
    let token = event.observe { value in
      switch value {
      case ..<0:  // the cycle
        event.emit(value - 1)
        if value == -100 {
          isRejected.open()
          _ = counted.wait()
        }
      case 0: break
      default:
        received(value)
        event.emit(value - 1)
      }
    }
    await Threads.together(2) { thread in
      if thread == 0 { return event.emit(-1) }
      _ = isRejected.wait()
      event.emit(21)
      counted.open()
    }
    #expect(await eventually { received.values == Array((1...21).reversed()) })
    #expect(reports.labels == [["shared"]])
    withExtendedLifetime(token) {}
  }

  @Test("23. When one cycle of questions is rejected, the nested questions of another that had begun are answered")
  func questions() async {
    let reports = Reports(about: ["asked twice"])
    let hook = Hook<Int, Int, Never>("asked twice", maximumDepth: 20)
    let (isBegun, isRejected) = (Latch(), Latch())
    let token = hook.handle { [hook] question in
      if question < 0 { return await hook.first(question - 1) ?? 0 }
      if question == 0 { return 1 }
      if question == 4 {
        isBegun.open()
        await isRejected.wait()
      }
      return (await hook.first(question - 1) ?? -100) + 1
    }
    // Deep enough to be watched, and not deeper than the limit.
    async let nested = hook.first(12)
    await isBegun.wait()
    #expect(await hook.first(-1) == 0)
    isRejected.open()
    #expect(await nested == 13)
    #expect(reports.labels == [["asked twice"]])
    withExtendedLifetime(token) {}
  }
}
