extension Law {
  /// Sentence 14.
  static var tokens: Self {
    Law(
      14,
      """
      Dropping the token of `observe` cancels. The tokens of `once` and of an owner-bound handler may be dropped: they \
      end by their call, or with the owner, which is held weakly and handed to the handler.
      """,
      requires: .lifetimes
    ) { type, findings in
      await Trial.run(type) { trial in
        guard type.dropCancels else { return }
        trial.add("A")
        trial.emit(1)
        await trial.quiesce()
        trial.drop("A")
        trial.emit(2)
        await trial.quiesce()
        findings.expect("a dropped token's handler", trial.received("A"), is: [1])
      }
      await Trial.run(type) { trial in
        guard let addOnce = type.addOnce else { return }
        addOnce(trial.open) { trial.note("A", $0) }
        for value in 1...2 { trial.emit(value) }
        await trial.quiesce()
        findings.expect("a handler for one call", trial.received("A"), is: [1])
      }
      await Trial.run(type) { trial in
        guard let addWithOwner = type.addWithOwner else { return }
        let canaries = Canaries()
        var owner: ContractOwner? = ContractOwner(canaries)
        let identity = owner.map(ObjectIdentifier.init)
        if let owner {
          addWithOwner(trial.open, owner) {
            trial.note("A", $1)
            findings.expect(ObjectIdentifier($0) == identity, "it is handed another owner")
          }
        }
        trial.emit(1)
        await trial.quiesce()
        owner = nil
        findings.expect("the owner, after its last reference", canaries.alive, is: 0)
        trial.emit(2)
        await trial.quiesce()
        findings.expect("an owner-bound handler", trial.received("A"), is: [1])
      }
    }
  }

  /// Sentence 15.
  static var release: Self {
    Law(
      15,
      """
      An event never keeps its sender, its owner or a cancelled handler's captures alive: captures are released by \
      `cancel()` itself or, while the event delivers, by the end of the delivery of the current value. Those of a \
      handler whose owner has been deinitialized are released when the event is next used or destroyed. A token never keeps the source.
      """
    ) { type, findings in
      await Trial.run(type) { trial in
        let canaries = Canaries()
        trial.addBare("A") { [canary = canaries.make()] _ in canary.touch() }
        trial.emit(1)
        await trial.quiesce()
        findings.expect("a living handler's captures", canaries.alive, is: 1)
        trial.cancel("A")
        await trial.quiesce(canaries)
        findings.expect("captures after `cancel`", canaries.alive, is: 0)
      }
      await Trial.run(type) { trial in
        let canaries = Canaries()
        let isFirstOver = Locked(false)
        trial.add("A") { value in
          if value == 1 {
            trial.cancel("B")
            trial.emit(2)
            isFirstOver.withLock { $0 = true }
          } else if isFirstOver.current {
            // This does not hold for a type that delivers depth-first: there the first value is still being delivered.
            findings.expect("captures, a value after `cancel`", canaries.alive, is: 0)
          }
        }
        trial.addBare("B") { [canary = canaries.make()] _ in canary.touch() }
        trial.emit(1)
        await trial.quiesce()
        await trial.quiesce(canaries)
        findings.expect("captures after the delivery", canaries.alive, is: 0)
      }
      await Trial.run(type) { trial in
        let canaries = Canaries()
        trial.addBare("A") { [canary = canaries.make()] _ in canary.touch() }
        trial.emit(1)
        await trial.quiesce()
        trial.endEvent()
        await trial.quiesce(canaries)
        findings.expect("captures after the event's end, the token alive", canaries.alive, is: 0)
      }
      await Trial.run(type) { trial in
        guard let addOnce = type.addOnce else { return }
        let canaries = Canaries()
        addOnce(trial.open) { [canary = canaries.make()] _ in canary.touch() }
        trial.emit(1)
        await trial.quiesce()
        await trial.quiesce(canaries)
        findings.expect("captures after the only call", canaries.alive, is: 0)
      }
      await Trial.run(type) { trial in
        guard let addWithOwner = type.addWithOwner else { return }
        let (owners, canaries) = (Canaries(), Canaries())
        do {
          let owner = ContractOwner(owners)
          addWithOwner(trial.open, owner) { [canary = canaries.make()] _, _ in canary.touch() }
          trial.emit(1)
          await trial.quiesce()
          withExtendedLifetime(owner) {}
        }
        findings.expect("the owner", owners.alive, is: 0)
        trial.emit(2)
        await trial.quiesce()
        await trial.quiesce(canaries)
        findings.expect("captures, when the event is used after the owner's death", canaries.alive, is: 0)
      }
    }
  }
}
