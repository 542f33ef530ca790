extension Law {
  /// Sentence 6.
  static var cancelling: Self {
    Law(
      6,
      """
      Once `cancel()` has returned, no call of the handler begins, on any path: mid-emit, queued for another actor, \
      buffered. A call that another thread was already entering counts as running.
      """
    ) { type, findings in
      await silenced(type, findings, by: "cancel") { $0.cancel($1) }
      if type.pause != nil { await silenced(type, findings, by: "pause") { $0.pause($1) } }
      await Trial.run(type) { trial in
        trial.add("A")
        if let isActive = type.isActive, let token = trial.token("A") {
          findings.expect(isActive(token), "a living handler is not active")
          type.cancel(token)
          findings.expect(!isActive(token), "a cancelled handler is active")
          type.cancel(token)
        }
      }
      guard type.isThreadSafe else { return }
      await Trial.run(type) { trial in
        for round in 0..<200 {
          let isCancelled = Locked(false)
          let late = Locked(0)
          trial.addBare("B\(round)") { _ in
            if isCancelled.current { late.withLock { $0 += 1 } }
          }
          Threads.together(2) { thread in
            if thread == 0 {
              for value in 1...20 { trial.emit(value) }
            } else {
              trial.cancel("B\(round)")
              isCancelled.withLock { $0 = true }
            }
          }
          await trial.settle()
          findings.expect(late.current <= 1, "\(late.current) calls after `cancel` by another thread, 1 may be running")
        }
      }
    }
  }

  private static func silenced(
    _ type: Subject, _ findings: Findings, by verb: String,
    _ silence: @escaping @Sendable (Trial<Source, Token>, String) -> Void
  ) async {
    await Trial.run(type) { trial in
      trial.add("A") { if $0 == 2 { silence(trial, "C") } }
      trial.add("B") { if $0 == 2 { silence(trial, "B") } }
      trial.add("C")
      trial.add("D") { if $0 == 3 { silence(trial, "A") } }
      for value in 1...4 { trial.emit(value) }
      await trial.settle()
      findings.expect("\(verb) a later handler mid-emit", trial.heard("C"), is: [1])
      findings.expect("\(verb) oneself", trial.heard("B"), is: [1, 2])
      findings.expect("\(verb) an earlier handler", trial.heard("A"), is: [1, 2, 3])
      findings.expect("the others", trial.heard("D"), is: [1, 2, 3, 4])
    }
    await Trial.run(type) { trial in
      trial.add("A") {
        guard $0 == 1 else { return }
        silence(trial, "B")
        for nested in 2...3 { trial.emit(nested) }
      }
      trial.add("B")
      trial.emit(1)
      await trial.settle()
      findings.expect("\(verb) before the handler's own emits", trial.heard("B"), is: [])
    }
    guard type.isThreadSafe else { return }
    await Trial.run(type) { trial in
      let (entered, proceed, ended) = (trial.gate(), trial.gate(), trial.gate())
      trial.add("A") {
        guard $0 == 1 else { return }
        entered.open()
        proceed.wait()
      }
      trial.add("B")
      Threads.start {
        trial.emit(1)
        ended.open()
      }
      entered.wait()
      silence(trial, "B")
      proceed.open()
      ended.wait()
      await trial.settle()
      findings.expect("\(verb) while another thread delivers", trial.heard("B"), is: [])
    }
    guard let addOnActor = type.addOnActor else { return }
    await Trial.run(type) { trial in
      let (actor, busy, proceed) = (ContractActor(), trial.gate(), trial.gate())
      let done = Task {
        await actor.run { _ in
          busy.open()
          proceed.wait()
        }
      }
      trial.keep("M", addOnActor(trial.open, actor) { _, value in trial.note("M", value) })
      await Task { _ = busy.wait() }.value
      for value in 1...3 { trial.emit(value) }
      silence(trial, "M")
      proceed.open()
      await done.value
      await trial.settle()
      await actor.run { _ in }
      findings.expect("\(verb) with calls on their way to an actor", trial.heard("M"), is: [])
    }
  }

  /// Sentence 7.
  static var finishing: Self {
    Law(
      7, "`await subscription.finish()` cancels, and returns when no call is running.",
      requires: .finish
    ) { type, findings in
      guard let finish = type.finish else { return }
      await Trial.run(type) { trial in
        let (entered, proceed, ended) = (trial.gate(), trial.gate(), trial.gate())
        let isRunning = Locked(false)
        trial.addBare("A") { _ in
          isRunning.withLock { $0 = true }
          entered.open()
          proceed.wait()
          isRunning.withLock { $0 = false }
        }
        Threads.start {
          trial.emit(1)
          ended.open()
        }
        entered.wait()
        guard let token = trial.token("A") else { return }
        let hasReturned = Locked(false)
        async let finished: Void = {
          await finish(token)
          hasReturned.withLock { $0 = true }
          findings.expect(!isRunning.current, "`finish` returned while a call was running")
        }()
        for _ in 0..<100 where !hasReturned.current { await Task.yield() }
        proceed.open()
        await finished
        ended.wait()
        trial.emit(2)
        await trial.settle()
        findings.expect(!isRunning.current, "a finished handler is called")
      }
    }
  }

  /// Sentence 8.
  static var once: Self {
    Law(
      8, "`once` calls its handler at most once, also under re-entrant and concurrent emits.",
      requires: .once
    ) { type, findings in
      guard let addOnce = type.addOnce else { return }
      await Trial.run(type) { trial in
        addOnce(trial.open) {
          trial.note("A", $0)
          if $0 < 10 { trial.emit($0 + 10) }
        }
        trial.add("B") { if $0 < 3 { trial.emit($0 + 1) } }
        addOnce(trial.open) { trial.note("C", $0) }
        trial.emit(1)
        await trial.settle()
        findings.expect("a handler that emits", trial.heard("A"), is: [1])
        findings.expect("how often the last was called", trial.heard("C").count, is: 1)
      }
      guard type.isThreadSafe else { return }
      for _ in 0..<50 {
        await Trial.run(type) { trial in
          addOnce(trial.open) { trial.note("A", $0) }
          Threads.together(3) { trial.emit($0) }
          await trial.settle()
          findings.expect("three threads; how often", trial.heard("A").count, is: 1)
        }
      }
    }
  }

  /// Sentence 9.
  static var identity: Self {
    Law(9, "A stale token never cancels another handler: identities are never reused.") { type, findings in
      await Trial.run(type) { trial in
        for generation in 0..<200 {
          trial.add("old\(generation).")
          trial.cancel("old\(generation).")
        }
        trial.add("A")
        for generation in 0..<200 { trial.cancel("old\(generation).") }
        trial.add("B")
        for generation in 0..<200 { trial.cancel("old\(generation).") }
        trial.emit(1)
        await trial.settle()
        findings.expect("after stale tokens were cancelled again", trial.log, is: ["A1", "B1"])
      }
    }
  }
}
