import Tidings

extension ObjectRegistry {
  /// All live objects in the order in which they were made, without their values.
  ///
  /// Objects are copied a thousand at a time, so that a thread that makes one waits no longer than for these.
  ///
  /// - Complexity: O(*n* log *n*) in the number of objects, and O(*m*) in the number of their handlers.
  package func snapshots() -> [ObjectSnapshot] {
    let all = state.withLock { state in
      state.objects.map { (address: $0.key, number: $0.value.number) }
    }.sorted { $0.number < $1.number }
    var snapshots: [ObjectSnapshot] = []
    snapshots.reserveCapacity(all.count)
    var lists: [(index: Int, list: HandlerList)] = []
    for start in stride(from: 0, to: all.count, by: 1_000) {
      state.withLock { state in
        for (address, number) in all[start..<min(start + 1_000, all.count)] {
          guard let record = state.objects[address], record.number == number,
            let (snapshot, list) = Self.snapshot(of: record, at: address, state)
          else { continue }
          if let list { lists.append((snapshots.count, list)) }
          snapshots.append(snapshot)
        }
      }
    }
    addHandlers(to: &snapshots, from: lists)
    return snapshots
  }

  /// Under the lock. Nil for a value that nothing refers to any more.
  private static func snapshot(
    of record: ObjectRecord, at address: ObjectAddress, _ state: borrowing State
  ) -> (ObjectSnapshot, HandlerList?)? {
    var snapshot = ObjectSnapshot(record)
    switch record.look {
    case .list(let list): return (snapshot, list)
    case .node(let computations):
      guard let node = ObjectObservation.lookAtNode(address, value: nil) else { return nil }
      snapshot.hasValue = node.version != 0
      snapshot.deliveries = node.version == 0 ? 0 : node.version - 1
      snapshot.isStale = node.isStale
      snapshot.validFrom = node.validFrom
      snapshot.dependencies = node.dependencies.compactMap { state.objects[$0]?.number }
      if let computations {
        snapshot.computations = computations.durations.count
        snapshot.unchangedComputations = computations.unchanged
        snapshot.computingNanoseconds = computations.durations.nanoseconds
        snapshot.slowestComputation = computations.durations.slowest
      }
      return (snapshot, node.handlers)
    case .stream(let source, let look):
      let stream = look()
      snapshot.deliveries = UInt(stream.received)
      snapshot.waiting = stream.waiting
      snapshot.dropped = stream.dropped
      snapshot.suspendedConsumers = stream.suspended
      snapshot.sourceList = source
      return (snapshot, nil)
    }
  }

  /// Lists of handlers, which may be long, are read after the registry's lock.
  private func addHandlers(to snapshots: inout [ObjectSnapshot], from lists: [(index: Int, list: HandlerList)]) {
    var owners: [ObjectAddress: UInt] = [:]
    for (index, list) in lists {
      snapshots[index].list = address(of: list)
      owners[address(of: list)] = snapshots[index].number
      var handlers: [HandlerSnapshot] = []
      let (delivered, waiting) = list.look { handlers.append(HandlerSnapshot($0, $1, $2, $3, $4, $5)) }
      if !handlers.isEmpty {
        state.withLock { state in
          for index in handlers.indices { handlers[index].add(state.handlers[handlers[index].subscription]) }
        }
      }
      if snapshots[index].kind == .event || snapshots[index].kind == .hook { snapshots[index].deliveries = delivered }
      snapshots[index].waiting = handlers.reduce(waiting) { $0 + $1.waiting }
      snapshots[index].dropped = handlers.reduce(0) { $0 + $1.dropped }
      snapshots[index].handlers = handlers
    }
    for index in snapshots.indices { snapshots[index].source = snapshots[index].sourceList.flatMap { owners[$0] } }
  }

  /// The newest values, as text, of some observed and derived values. Nothing is computed for it.
  ///
  /// - Parameters:
  ///   - numbers: Those of the values.
  ///   - limit: How many characters of each.
  package func values(of numbers: Set<UInt>, limit: Int = 200) -> [UInt: String] {
    // Descriptions of the copies, and their destruction, are user code: outside the lock.
    let copies = state.withLock { state in
      var copies: [(number: UInt, value: Any)] = []
      for (address, record) in state.objects where numbers.contains(record.number) {
        guard case .node = record.look, let type = record.type, record.kind != .effect,
          let value = ObjectObservation.lookAtNode(address, value: type)?.value
        else { continue }
        copies.append((record.number, value))
      }
      return copies
    }
    var texts: [UInt: String] = [:]
    for (number, value) in copies { texts[number] = String(String(describing: value).prefix(limit)) }
    return texts
  }
}
