extension Law {
  /// Sentence 4.
  static var queueing: Self {
    Law(
      4,
      "Under `.serial` a value emitted by a handler is delivered after the current value has reached every handler."
    ) { type, findings in
      await Trial.run(type) { trial in
        trial.add("A") { if $0 == 1 { for nested in 2...3 { trial.emit(nested) } } }
        trial.add("B") { if $0 == 2 { trial.emit(4) } }
        trial.emit(1)
        await trial.quiesce()
        findings.expect("1 emits 2 and 3, 2 emits 4", trial.log, is: ["A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4"])
      }
    }
  }

  /// Sentence 5, except the takeover after 1,024 values, which only this library has.
  static var completeness: Self {
    Law(
      5,
      """
      `emit` has delivered to every handler that needs no hop before it returns, unless (under `.serial`) it was \
      called from a handler of the same event or while another thread was delivering that event; then the thread that is \
      delivering delivers it before returning.
      """
    ) { type, findings in
      await Trial.run(type) { trial in
        trial.add("A")
        trial.add("B")
        for value in 1...3 {
          trial.emit(value)
          findings.expect("received when `emit` returns", trial.log.suffix(2), is: ["A\(value)", "B\(value)"])
        }
      }
      await Trial.run(type) { trial in
        trial.add("A") { if $0 < 10 { trial.emit($0 + 1) } }
        trial.add("B")
        trial.emit(1)
        findings.expect("what handlers emitted, when the outermost `emit` returns", trial.received("B").count, is: 10)
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
        let returned = trial.elsewhere { trial.emit(2) }
        findings.expect(returned, "`emit` waits for another thread's handler")
        proceed.open()
        findings.expect(ended.wait(), "the deliverer does not return")
        findings.expect("emitted meanwhile, when the deliverer returns", trial.received("B").sorted(), is: [1, 2])
      }
      await Trial.run(type) { trial in
        trial.add("A")
        trial.add("B")
        Threads.together(4) { thread in for value in 1...100 { trial.emit(thread * 1_000 + value) } }
        findings.expect("four threads, when all have returned", trial.received("B").count, is: 400)
      }
    }
  }
}
