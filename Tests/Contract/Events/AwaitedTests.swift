import Testing
import Tidings
import TidingsTesting

@Suite("Asynchronous handlers", .timeLimit(.minutes(20)))
struct AwaitedTests {
  @Test(
    """
    28. The calls of an asynchronous handler never overlap: each begins when the one before has returned, in the order of \
    the values. `emitAndWait`, `drained()` and `finish()` wait for a call that is suspended as for any other.
    """, arguments: [DeliveryPolicy.serial, .immediate])
  func inOrder(policy: DeliveryPolicy) async {
    let (event, calls, latch) = (Event<Int>(policy: policy), Recorder<String>(), Latch())
    let token = event.observe { value in
      calls("begin \(value)")
      await latch.wait()
      await Task.yield()
      calls("end \(value)")
    }
    await Threads.together(2) { _ in event.emit(1) }
    #expect(await calls.values(atLeast: 1) == ["begin 1"], "the second waits until the first has returned")
    let drained = Task {
      await event.drained()
      calls("drained")
    }
    let waited = Task {
      await event.emitAndWait(2)
      calls("waited")
    }
    #expect(await eventually { event.diagnostics.subscriptions[0].queued == 3 })
    latch.open()
    await waited.value
    await drained.value
    #expect(
      calls.values.filter { $0.hasPrefix("begin") || $0.hasPrefix("end") }
        == ["begin 1", "end 1", "begin 1", "end 1", "begin 2", "end 2"])
    #expect(calls.values.last == "waited" || calls.values.last == "drained")
    event.emit(3)
    await token.drained()
    #expect(calls.values.last == "end 3")
  }

  @Test("28. `finish()` drops what waits and waits for the call that is suspended, which runs to its end")
  func finishing() async {
    let (event, calls, latch) = (Event<Int>(), Recorder<String>(), Latch())
    let token = event.observe { value in
      calls("begin \(value)")
      await latch.wait()
      calls("end \(value) \(Task.isCancelled)")
    }
    event.emit(contentsOf: 1...3)
    _ = await calls.values(atLeast: 1)
    let finished = Task {
      await token.finish()
      calls("finished")
    }
    #expect(await eventually { !token.isActive })
    latch.open()
    await finished.value
    #expect(calls.values == ["begin 1", "end 1 false", "finished"])
  }

  @Test(
    "29. What may wait for an asynchronous handler is bounded as its `BufferingPolicy` says, beside the value that is being handled; what is dropped is counted."
  )
  func bounds() async {
    for (policy, handled, dropped) in [
      (BufferingPolicy.unbounded, [1, 2, 3, 4, 5], 0), (.newest(2), [1, 4, 5], 2), (.oldest(2), [1, 2, 3], 2),
    ] {
      let (event, begun, ended, latch) = (Event<Int>(), Recorder<Int>(), Recorder<Int>(), Latch())
      let token = event.observe(buffering: policy) { value in
        begun(value)
        await latch.wait()
        ended(value)
      }
      event.emit(1)
      _ = await begun.values(atLeast: 1)
      event.emit(contentsOf: 2...5)
      #expect(token.droppedCount == dropped)
      latch.open()
      await token.drained()
      #expect(ended.values == handled)
      token.cancel()
      #expect(token.droppedCount == dropped)
    }
  }

  @Test("29. A value that is dropped beyond the bound is released, and a caller that waits for it is resumed")
  func droppedValues() async {
    let (event, canaries, latch) = (Event<Canary>(), Canaries(), Latch())
    let begun = Recorder<Int>()
    let token = event.observe(buffering: .newest(1)) { canary in
      begun(1)
      await latch.wait()
      canary.touch()
    }
    event.emit(canaries.make())
    _ = await begun.values(atLeast: 1)
    let waiting = Task { await event.emitAndWait(canaries.make()) }
    #expect(await eventually { event.diagnostics.subscriptions[0].queued == 2 })
    event.emit(canaries.make())
    await waiting.value
    #expect(await canaries.quiesce(atMost: 2))
    latch.open()
    await token.drained()
    #expect(await canaries.quiesce())
  }

  @Test("28. A pause drops what waits; what is emitted after `resume()` is handled after the call that is running")
  func pausing() async {
    let (event, begun, ended, latch) = (Event<Int>(), Recorder<Int>(), Recorder<Int>(), Latch())
    let token = event.observe { value in
      begun(value)
      await latch.wait()
      ended(value)
    }
    event.emit(contentsOf: 1...3)
    _ = await begun.values(atLeast: 1)
    token.pause()
    event.emit(4)
    token.resume()
    event.emit(5)
    latch.open()
    await token.drained()
    #expect(ended.values == [1, 5])
  }

  @Test("28. A handler that would wait for itself is reported, and not waited for")
  func waitingForItself() async {
    let reports = Recorder<String>()
    let watching = Diagnostics.reports.observe { report in
      // The event, or the place of its handler.
      let source = report.labels.last ?? ""
      if source == "own wait" || source.contains("AwaitedTests.swift") { reports(report.message) }
    }
    let (event, done) = (Event<Int>("own wait"), Recorder<Int>())
    let token = Locked<Subscription?>(nil)
    token.current = event.observe { value in
      switch value {
      case 1: await event.drained()
      case 2: await event.emitAndWait(4)
      case 3: await token.current?.finish()
      default: break
      }
      done(value)
    }
    event.emit(contentsOf: 1...3)
    #expect(await done.values(atLeast: 3) == [1, 2, 3])
    // Another test's thread may be delivering reports, and then delivers these too.
    #expect(await reports.values(atLeast: 3).count == 3)
    withExtendedLifetime(watching) {}
  }

  @Test("27. An asynchronous handler sees the carried task-local values of the emitter, and none of another")
  func taskLocals() async {
    carry(AwaitedLocals.$carried)
    let (event, seen, latch) = (Event<Int>(), Recorder<String>(), Latch())
    let token = event.observe { value in
      await latch.wait()
      seen("\(value) \(AwaitedLocals.carried) \(AwaitedLocals.other)")
    }
    AwaitedLocals.$carried.withValue("a") {
      AwaitedLocals.$other.withValue("hidden") { event.emit(1) }
    }
    AwaitedLocals.$carried.withValue("b") { event.emit(2) }
    latch.open()
    await token.drained()
    #expect(seen.values == ["1 a none", "2 b none"])
  }

  @Test("25. What an asynchronous handler had waiting is handled after its event has finished or is deinitialized")
  func theEnd() async {
    for finishes in [true, false] {
      var event: Event<Int>? = Event<Int>()
      let (done, latch, canaries) = (Recorder<Int>(), Latch(), Canaries())
      let token = event!.observe { [canary = canaries.make()] value in
        await latch.wait()
        canary.touch()
        done(value)
      }
      event!.emit(contentsOf: 1...3)
      if finishes { event!.finish() } else { event = nil }
      latch.open()
      #expect(await done.values(atLeast: 3) == [1, 2, 3])
      await event?.drained()
      #expect(await canaries.quiesce())
      withExtendedLifetime(token) {}
    }
  }
}

private enum AwaitedLocals {
  @TaskLocal static var carried = "none"
  @TaskLocal static var other = "none"
}
