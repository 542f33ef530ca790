extension Law {
  /// Sentence 3, except `.initial`.
  static var beginning: Self {
    Law(
      3,
      """
      A handler receives every value emitted after it was added and none emitted before, also when the earlier one is \
      still being delivered.
      """
    ) { type, findings in
      await Trial.run(type) { trial in
        trial.emit(1)
        await trial.quiesce()
        trial.add("A")
        for value in 2...4 { trial.emit(value) }
        await trial.quiesce()
        findings.expect("added between two values", trial.received("A"), is: [2, 3, 4])
      }
      await Trial.run(type) { trial in
        trial.add("A") {
          guard $0 == 1 else { return }
          trial.emit(2)
          trial.add("B")
          trial.emit(3)
        }
        trial.emit(1)
        await trial.quiesce()
        trial.emit(4)
        await trial.quiesce()
        findings.expect("added in a call, after 2 and before 3 were emitted", trial.received("B"), is: [3, 4])
      }
      if type.isThreadSafe {
        await Trial.run(type) { trial in
          let (entered, proceed) = (trial.gate(), trial.gate())
          trial.add("A") {
            guard $0 == 1 else { return }
            entered.open()
            proceed.wait()
          }
          let ended = trial.gate()
          Threads.start {
            trial.emit(1)
            ended.open()
          }
          await entered.wait()
          trial.emit(2)
          trial.add("B")
          trial.emit(3)
          proceed.open()
          await ended.wait()
          await trial.quiesce()
          findings.expect("added while another thread delivers", trial.received("B"), is: [3])
        }
      }
      guard type.pause != nil else { return }
      await Trial.run(type) { trial in
        trial.add("A") {
          guard $0 == 1 else { return }
          trial.pause("B")
          trial.emit(2)
          trial.resume("B")
          trial.emit(3)
        }
        trial.add("B")
        trial.add("C")
        trial.emit(1)
        await trial.quiesce()
        findings.expect("paused for 1 and 2", trial.received("B"), is: [3])
        findings.expect("its place after a pause", trial.log.filter { $0.hasSuffix("3") }, is: ["A3", "B3", "C3"])
      }
    }
  }
}
