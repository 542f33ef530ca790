extension Law {
  /// Sentence 10.
  static var anyThread: Self {
    Law(
      10, "Every operation of a Sendable type may be called from any thread at any time, handlers included.",
      requires: .threads
    ) { type, findings in
      await Trial.run(type) { trial in
        trial.add("A")
        trial.addBare("nested") { if $0 % 16 == 0 { trial.emit($0 + 1) } }
        let ended = Threads.together(4) { thread in
          for round in 0..<100 {
            let name = "\(thread).\(round)"
            trial.addBare(name) { if $0 % 8 == 0 { trial.cancel(name) } }
            trial.emit(thread * 100_000 + round * 16)
            if round % 3 == 0 { trial.pause(name) }
            if round % 6 == 0 { trial.resume(name) }
            trial.cancel(name)
            if round % 2 == 0 { trial.drop(name) }
          }
        }
        await trial.settle()
        findings.expect(ended, "four threads that add, emit and cancel do not come to an end")
        findings.expect("what a handler that stayed heard", trial.heard("A").count, is: 800)
      }
    }
  }

  /// Sentence 11.
  static var freedom: Self {
    Law(11, "No lock is held while a handler runs. A handler may read, set, add, remove, cancel or emit.") {
      type, findings in
      await Trial.run(type) { trial in
        trial.add("A") {
          guard $0 == 1 else { return }
          trial.add("B")
          trial.cancel("C")
          trial.emit(2)
          trial.cancel("A")
        }
        trial.add("C")
        trial.emit(1)
        await trial.settle()
        trial.emit(3)
        await trial.settle()
        findings.expect("added in a call", trial.heard("B"), is: [2, 3])
        findings.expect("cancelled in a call", trial.heard("C"), is: [])
        findings.expect(trial.heard("A").first == 1 && !trial.heard("A").contains(3), "it did not cancel itself")
      }
      guard type.isThreadSafe else { return }
      await Trial.run(type) { trial in
        trial.add("A") {
          guard $0 == 1 else { return }
          findings.expect(trial.elsewhere { trial.add("B") }, "a lock is held: no other thread can add")
          findings.expect(trial.elsewhere { trial.emit(2) }, "a lock is held: no other thread can emit")
          findings.expect(trial.elsewhere { trial.cancel("C") }, "a lock is held: no other thread can cancel")
          findings.expect(trial.elsewhere { trial.cancel("A") }, "a lock is held: none can cancel what runs")
        }
        trial.add("C")
        trial.emit(1)
        await trial.settle()
      }
    }
  }

  /// Sentence 12.
  static var isolation: Self {
    Law(
      12,
      """
      A handler isolated to an actor runs on that actor: in place when whoever delivers is there (after emptying that \
      subscription's queue, so nothing is overtaken), else through that subscription's own queue, first in first out.
      """,
      requires: .actors
    ) { type, findings in
      guard let addOnActor = type.addOnActor else { return }
      await Trial.run(type) { trial in
        let (actor, all) = (ContractActor(), Recorder<Int>())
        let token = addOnActor(trial.open, actor) { actor, value in
          findings.expect(actor.isHere, "a call was made elsewhere than on its actor")
          all(value)
        }
        trial.keep("A", token)
        for value in 1...100 { trial.emit(value) }
        findings.expect("through the queue", await all.values(atLeast: 100), is: Array(1...100))
      }
      guard let emitOnActor = type.emitOnActor else { return }
      await Trial.run(type) { trial in
        let actor = ContractActor()
        trial.keep("A", addOnActor(trial.open, actor) { _, value in trial.note("A", value) })
        await actor.run { actor in
          emitOnActor(trial.open, actor, 1)
          findings.expect("in place", trial.heard("A"), is: [1])
          guard type.isThreadSafe else { return }
          _ = trial.elsewhere { for value in 2...3 { trial.emit(value) } }
          findings.expect("from elsewhere, while the actor is busy", trial.heard("A"), is: [1])
          emitOnActor(trial.open, actor, 4)
          findings.expect("in place, after its queue", trial.heard("A"), is: [1, 2, 3, 4])
        }
        await trial.settle()
        await actor.run { _ in }
        findings.expect("at the end", trial.heard("A"), is: [1, 2, 3, 4])
      }
    }
  }

  /// Sentence 13.
  static var failure: Self {
    Law(
      13, "A handler that fails does not keep others from being called; the failure reaches `onError`.",
      requires: .failures
    ) { type, findings in
      guard let addThrowing = type.addThrowing else { return }
      await Trial.run(type) { trial in
        trial.add("A")
        let token = addThrowing(trial.open, { trial.note("error", ($0 as? Refusal)?.value ?? -1) }) { value in
          trial.note("B", value)
          if value != 2 { throw Refusal(value: value) }
        }
        trial.keep("B", token)
        trial.add("C")
        for value in 1...3 { trial.emit(value) }
        await trial.settle()
        findings.expect("the one after it", trial.heard("C"), is: [1, 2, 3])
        findings.expect("the failing one itself", trial.heard("B"), is: [1, 2, 3])
        findings.expect("`onError`", trial.heard("error"), is: [1, 3])
      }
    }
  }
}

private struct Refusal: Error { let value: Int }
