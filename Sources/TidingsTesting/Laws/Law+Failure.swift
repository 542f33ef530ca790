extension Law {
  /// Sentence 13.
  static var failure: Self {
    Law(
      13, "A handler that fails does not keep others from being called; the failure reaches `onError`.",
      requires: .failures
    ) { type, findings in
      guard let addThrowing = type.addThrowing else { return }
      await Trial.run(type) { trial in
        trial.add("A")
        let token = addThrowing(trial.open, { trial.note("error", ($0 as? Rejection)?.value ?? -1) }) { value in
          trial.note("B", value)
          if value != 2 { throw Rejection(value: value) }
        }
        trial.keep("B", token)
        trial.add("C")
        for value in 1...3 { trial.emit(value) }
        await trial.quiesce()
        findings.expect("the one after it", trial.received("C"), is: [1, 2, 3])
        findings.expect("the failing one itself", trial.received("B"), is: [1, 2, 3])
        findings.expect("`onError`", trial.received("error"), is: [1, 3])
      }
    }
  }
}

private struct Rejection: Error { let value: Int }
