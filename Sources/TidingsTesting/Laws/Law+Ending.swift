extension Law {
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
        await entered.wait()
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
        await ended.wait()
        trial.emit(2)
        await trial.quiesce()
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
        await trial.quiesce()
        findings.expect("a handler that emits", trial.received("A"), is: [1])
        findings.expect("how often the last was called", trial.received("C").count, is: 1)
      }
      guard type.isThreadSafe else { return }
      for _ in 0..<50 {
        await Trial.run(type) { trial in
          addOnce(trial.open) { trial.note("A", $0) }
          await Threads.together(3) { trial.emit($0) }
          await trial.quiesce()
          findings.expect("three threads; how often", trial.received("A").count, is: 1)
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
        await trial.quiesce()
        findings.expect("after stale tokens were cancelled again", trial.log, is: ["A1", "B1"])
      }
    }
  }
}
