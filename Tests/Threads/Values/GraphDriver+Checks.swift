import TidingsTesting

/// The conditions that must hold after each step, and for each computation.
extension GraphDriver {
  func hasComputed(_ node: Int, _ now: [Int]) {
    computed.append(node)
    guard model.pending == nil else {
      tainted.insert(node)
      return
    }
    if let clock = clocks[node], let before = reads[node], !tainted.contains(node) {
      let isDue = before.contains { model.stamps[$0] > clock }
      expect(isDue, "\(node) is recomputed, though of \(before) nothing has changed since")
    }
    clocks[node] = model.clock
    reads[node] = now
    tainted.remove(node)
  }

  func check(_ before: [Int], _ changed: [Int]) async {
    let after = model.state
    if handlersAct {
      for observer in observers {
        let now = after.values[observer.node]
        expect(
          observer.last ?? now == now,
          "\(observer.number) of \(observer.node) last received \(observer.last ?? 0), it is \(now)")
      }
    } else {
      checkNotifications(before, after.values, changed)
      if !readInTransaction { checkComputations(after.reads) }
    }
    await checkCaptures()
  }

  private func checkNotifications(_ before: [Int], _ after: [Int], _ changed: [Int]) {
    for observer in observers where observer.node < before.count {
      let (node, received) = (observer.node, notifications.filter { $0.observer === observer })
      let isChange = model.policy(of: node) == nil ? before[node] != after[node] : changed.contains(node)
      expect(
        received.count == (isChange ? 1 : 0),
        "\(observer.number) of \(node) is called \(received.count) times for \(before[node]) to \(after[node])")
      if let first = received.first {
        expect(
          (first.old, first.new) == (before[node], after[node]),
          "\(observer.number) of \(node) receives \(first.old) to \(first.new), not \(before[node]) to \(after[node])"
        )
      }
    }
    if !hasThrown {
      let order = notifications.filter { !$0.observer.isWill && changed.contains($0.observer.node) }.map(
        \.observer.node)
      expect(
        order == changed.flatMap { source in order.filter { $0 == source } },
        "written as \(changed), notified as \(order)")
    }
    for node in Set(notifications.map(\.observer.node)) {
      let order = notifications.filter { $0.observer.node == node && !$0.observer.isWill }.map(\.observer.number)
      expect(order == order.sorted(), "handlers of \(node), in the order of adding, are called as \(order)")
    }
  }

  /// Nothing is computed that is neither read nor observed, be it through others.
  private func checkComputations(_ reads: [[Int]]) {
    var (seen, open) = (Set<Int>(), Array(roots))
    while let node = open.popLast() {
      if seen.insert(node).inserted { open += reads[node] }
    }
    for node in computed { expect(seen.contains(node), "\(node) is computed, though it is neither read nor observed") }
  }

  private func checkCaptures() async {
    var (seen, open) = (Set<Int>(), Array(held.keys) + observers.map(\.node))
    while let node = open.popLast() {
      if seen.insert(node).inserted { open += model.inputs(of: node) }
    }
    let living = seen.filter { model.policy(of: $0) == nil }.count
    // The release of dropped values waits for computations in progress on threads of other tests.
    _ = await canaries.quiesce(atMost: living)
    expect(canaries.alive == living, "\(canaries.alive) closures are alive, of \(living) values")
  }
}
