extension Law {
  /// Sentence 12.
  static var isolation: Self {
    Law(
      12,
      """
      A handler isolated to an actor runs on that actor: in place when the delivering code is on it (after emptying that \
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
          findings.expect("in place", trial.received("A"), is: [1])
          guard type.isThreadSafe else { return }
          _ = trial.elsewhere { for value in 2...3 { trial.emit(value) } }
          findings.expect("from elsewhere, while the actor is busy", trial.received("A"), is: [1])
          emitOnActor(trial.open, actor, 4)
          findings.expect("in place, after its queue", trial.received("A"), is: [1, 2, 3, 4])
        }
        await trial.quiesce()
        await actor.run { _ in }
        findings.expect("at the end", trial.received("A"), is: [1, 2, 3, 4])
      }
    }
  }
}
