extension Cell {
  /// Runs the cell in the library and in the model, and returns in what they differ.
  func violations(isTracing: Bool = false) -> [String] {
    let world = World(self)
    let model: any Oracle = source.family == .hook ? HookModel(self) : Model(self)
    var violations: [String] = []
    func compare(_ step: String, isQuiet: Bool) {
      let seen = world.journal.current
      if isTracing { print("  \(step): \(seen.entries) \(seen.returned.keys.sorted())") }
      for subscription in model.results {
        let entries = seen.entries[subscription.number]
        if !model.agree(entries, subscription.entries) {
          violations.append("\(step): handler \(subscription.number) \(entries), not \(subscription.entries)")
        }
        if isQuiet, seen.endedLoops.contains(subscription.number) != subscription.loopHasEnded {
          violations.append(
            "\(step): the loop \(subscription.number) \(subscription.loopHasEnded ? "goes on" : "has ended")")
        }
      }
      for wait in model.waits where isQuiet {
        guard let places = seen.returned[wait.number] else {
          if wait.mustReturn { violations.append("\(step): waits on") }
          continue
        }
        if !wait.mayReturn { violations.append("\(step): has not waited") }
        for (item, handler) in wait.items where !item.isFromSecond {
          if let end = item.end, end > places[handler] {
            violations.append("\(step): returned before \(item.call) was handled")
          }
        }
      }
      violations += seen.violations
    }
    // The first values of a subscription come before the script.
    for (number, step) in ([.run, .releaseAll] + moment.script(act, isOfHook: source.family == .hook)).enumerated()
    where violations.isEmpty {
      switch step {
      case .emit:
        world.emit(isolation: nil)
        model.emit(isOnActor: false)
      case .emitSecond:
        world.emitSecond()
        model.emitSecond()
      case .emitOnActor:
        world.runOnActor { world.emit(isolation: $0) }
        model.emit(isOnActor: true)
      case .run:
        world.run()
        model.run()
      case .runPool: world.runPool()
      case .release:
        _ = world.release()
        model.release()
      case .releaseAll:
        while world.release() {}
        while model.isSuspended { model.release() }
      case .act(let act):
        world.perform(act)
        model.perform(act)
      case .actOnActor(let act):
        world.runOnActor { _ in world.perform(act) }
        model.perform(act)
      case .actElsewhere(let act):
        Elsewhere.run { world.perform(act) }
        model.perform(act)
      case .arm(let act):
        world.arm(act)
        model.arm(act)
      case .resume:
        world.resume()
        model.resume()
      }
      switch step {
      case .run, .release, .releaseAll: compare("\(number) \(step)", isQuiet: true)
      default: compare("\(number) \(step)", isQuiet: false)
      }
    }
    if violations.isEmpty {
      for subscription in model.results {
        if let isActive = world.isActive(subscription.number), isActive != subscription.isActive {
          violations.append("subscription \(subscription.number) is \(isActive ? "" : "not ")active")
        }
      }
    }
    let kept = world.end()
    if kept > 0, violations.isEmpty { violations.append("captures of \(kept) handlers are kept") }
    return violations
  }
}
