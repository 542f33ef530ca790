extension Law {
  /// Sentence 1.
  static var order: Self {
    Law(1, "Handlers are called in the order in which they were added.") { type, findings in
      await Trial.run(type) { trial in
        for name in ["A", "B", "C", "D", "E"] { trial.add(name) }
        trial.emit(1)
        await trial.quiesce()
        findings.expect("five handlers", trial.log, is: ["A1", "B1", "C1", "D1", "E1"])
      }
      await Trial.run(type) { trial in
        for name in ["A", "B", "C", "D"] { trial.add(name) }
        trial.cancel("B")
        trial.add("F")
        trial.cancel("A")
        trial.add("G")
        trial.emit(1)
        await trial.quiesce()
        findings.expect("after two were removed and two added", trial.log, is: ["C1", "D1", "F1", "G1"])
      }
      await Trial.run(type) { trial in
        trial.add("A") { if $0 == 1 { trial.add("C") } }
        trial.add("B")
        trial.emit(1)
        await trial.quiesce()
        trial.emit(2)
        await trial.quiesce()
        findings.expect("one added during a call", trial.log.suffix(3), is: ["A2", "B2", "C2"])
      }
      await Trial.run(type) { trial in
        let names = (0..<500).map { "h\($0)." }
        for name in names { trial.add(name) }
        for index in stride(from: 0, to: 500, by: 3) { trial.cancel(names[index]) }
        trial.emit(1)
        await trial.quiesce()
        let expected = (0..<500).filter { $0 % 3 != 0 }.map { "h\($0).1" }
        findings.expect(trial.log == expected, "500 handlers, a third removed: the order of adding is lost")
      }
    }
  }

  /// Sentence 2.
  static var agreement: Self {
    Law(
      2,
      """
      Under `.serial` all handlers of one event receive the same values in the same order, whichever code emits, from \
      whichever thread, also when a handler emits.
      """
    ) { type, findings in
      await Trial.run(type) { trial in
        trial.add("A")
        trial.add("B") { if $0 < 10 { for nested in 1...2 { trial.emit($0 * 10 + nested) } } }
        trial.add("C")
        for value in 1...4 { trial.emit(value) }
        await trial.quiesce()
        findings.expect("a handler emits; the first and the last", trial.received("C"), is: trial.received("A"))
        findings.expect("a handler emits; the first and itself", trial.received("B"), is: trial.received("A"))
        findings.expect("how many values", trial.received("A").count, is: 12)
      }
      guard type.isThreadSafe else { return }
      await Trial.run(type) { trial in
        trial.add("A")
        trial.add("B") { if $0 % 10 == 0 { trial.emit($0 + 1_000_001) } }
        trial.add("C")
        let ended = await Threads.together(4) { thread in
          for value in 1...100 { trial.emit(thread * 1_000 + value) }
        }
        await trial.quiesce()
        findings.expect(ended, "four threads that emit do not come to an end")
        let received = trial.received("A")
        findings.expect("four threads; how many values", received.count, is: 440)
        findings.expect(trial.received("B") == received, "four threads: two handlers received another order")
        findings.expect(trial.received("C") == received, "four threads: the first and the last received another order")
        for thread in 0..<4 {
          let own = received.filter { $0 < 1_000_000 && $0 / 1_000 == thread }
          findings.expect(own == own.sorted(), "what one thread emits is received in another order")
        }
      }
    }
  }
}
