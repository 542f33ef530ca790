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
      await stopped(type, findings, by: "cancel") { $0.cancel($1) }
      if type.pause != nil { await stopped(type, findings, by: "pause") { $0.pause($1) } }
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
          await Threads.together(2) { thread in
            if thread == 0 {
              for value in 1...20 { trial.emit(value) }
            } else {
              trial.cancel("B\(round)")
              isCancelled.withLock { $0 = true }
            }
          }
          await trial.quiesce()
          findings.expect(late.current <= 1, "\(late.current) calls after `cancel` by another thread, 1 may be running")
        }
      }
    }
  }

  private static func stopped(
    _ type: Subject, _ findings: Findings, by verb: String,
    _ stop: @escaping @Sendable (Trial<Source, Token>, String) -> Void
  ) async {
    await Trial.run(type) { trial in
      trial.add("A") { if $0 == 2 { stop(trial, "C") } }
      trial.add("B") { if $0 == 2 { stop(trial, "B") } }
      trial.add("C")
      trial.add("D") { if $0 == 3 { stop(trial, "A") } }
      for value in 1...4 { trial.emit(value) }
      await trial.quiesce()
      findings.expect("\(verb) a later handler mid-emit", trial.received("C"), is: [1])
      findings.expect("\(verb) oneself", trial.received("B"), is: [1, 2])
      findings.expect("\(verb) an earlier handler", trial.received("A"), is: [1, 2, 3])
      findings.expect("the others", trial.received("D"), is: [1, 2, 3, 4])
    }
    await Trial.run(type) { trial in
      trial.add("A") {
        guard $0 == 1 else { return }
        stop(trial, "B")
        for nested in 2...3 { trial.emit(nested) }
      }
      trial.add("B")
      trial.emit(1)
      await trial.quiesce()
      findings.expect("\(verb) before the handler's own emits", trial.received("B"), is: [])
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
      // On a thread of its own: the handler is held up only as long as the type's patience, and other tests may have all turns
      // of the task pool for longer.
      await Threads.elsewhere {
        entered.wait()
        stop(trial, "B")
        proceed.open()
        ended.wait()
      }
      await trial.quiesce()
      findings.expect("\(verb) while another thread delivers", trial.received("B"), is: [])
    }
    guard let addOnActor = type.addOnActor else { return }
    await Trial.run(type) { trial in
      let (actor, busy, proceed) = (ContractActor(), Gate(), trial.gate())
      let done = Task {
        await actor.run { _ in
          busy.open()
          proceed.wait()
        }
      }
      trial.keep("M", addOnActor(trial.open, actor) { _, value in trial.note("M", value) })
      await Threads.elsewhere {
        busy.wait()
        for value in 1...3 { trial.emit(value) }
        stop(trial, "M")
        proceed.open()
      }
      await done.value
      await trial.quiesce()
      await actor.run { _ in }
      findings.expect("\(verb) with calls on their way to an actor", trial.received("M"), is: [])
    }
  }
}
