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
        let ended = await Threads.together(4) { thread in
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
        await trial.quiesce()
        findings.expect(ended, "four threads that add, emit and cancel do not come to an end")
        findings.expect("what a handler that stayed received", trial.received("A").count, is: 800)
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
        await trial.quiesce()
        trial.emit(3)
        await trial.quiesce()
        findings.expect("added in a call", trial.received("B"), is: [2, 3])
        findings.expect("cancelled in a call", trial.received("C"), is: [])
        findings.expect(trial.received("A").first == 1 && !trial.received("A").contains(3), "it did not cancel itself")
      }
      guard type.isThreadSafe else { return }
      await Trial.run(type) { trial in
        trial.add("A") {
          guard $0 == 1 else { return }
          let operations: [(name: String, run: @Sendable () -> Void)] = [
            ("add", { trial.add("B") }), ("emit", { trial.emit(2) }), ("cancel", { trial.cancel("C") }),
            ("cancel what runs", { trial.cancel("A") }),
          ]
          // The first that does not return is enough: each takes the whole patience.
          if let stuck = operations.first(where: { !trial.elsewhere($0.run) }) {
            findings.expect(false, "a lock is held: no other thread can \(stuck.name)")
          }
        }
        trial.add("C")
        trial.emit(1)
        await trial.quiesce()
      }
    }
  }
}
