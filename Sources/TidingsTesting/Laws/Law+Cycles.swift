extension Law {
  /// Sentence 23, for events.
  static var cycles: Self {
    Law(
      23,
      """
      Events that drive each other in a cycle are stopped: an emission caused by a handler is one deeper than what \
      caused it, and beyond a depth it is rejected. What is emitted from elsewhere does not count.
      """,
      requires: .limit
    ) { type, findings in
      guard let depth = type.maximumDepth else { return }
      await Trial.run(type) { trial in
        // The bound stops the cycle of a type that rejects nothing.
        trial.add("A") { if $0 <= depth * 2 { trial.emit($0 + 1) } }
        trial.emit(0)
        await trial.quiesce()
        let reached = trial.received("A").max() ?? 0
        findings.expect((depth - 1...depth).contains(reached), "a cycle went \(reached) deep, not \(depth)")
        trial.cancel("A")
        trial.add("B")
        for value in 1...depth * 2 { trial.emit(value) }
        await trial.quiesce()
        findings.expect("emitted one after another, not by handlers", trial.received("B").count, is: depth * 2)
      }
    }
  }
}
