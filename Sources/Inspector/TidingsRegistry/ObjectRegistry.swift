import Synchronization
import Tidings

/// The events, hooks, values and streams of this process that were made since it was started, and the calls of their handlers.
///
/// The products that show or export the activity of a program share this one, as a process has one observer of objects. Nothing
/// is known of `LocalEvent` and `LocalHook`, which no other thread may look at.
package final class ObjectRegistry: Sendable {
  package static let shared = ObjectRegistry()

  struct State {
    var objects: [ObjectAddress: ObjectRecord] = [:]
    /// By the address of the subscription. That of a destroyed subscription stays until they are pruned, or the address is used
    /// again.
    var handlers: [ObjectAddress: HandlerRecord] = [:]
    private var handlersAfterPruning = 0
    var made: UInt = 0
    /// By the number that the record was given before its value was made.
    var computations: [UInt: ComputationRecord] = [:]

    mutating func nextNumber() -> UInt {
      made += 1
      return made
    }
    /// The records among which many may be of destroyed subscriptions; nil until there are.
    mutating func handlersToPrune() -> [ObjectAddress: HandlerRecord]? {
      if handlers.count <= 2 * handlersAfterPruning + 1_000 { return nil }
      // Until these are pruned, no other thread begins.
      handlersAfterPruning = handlers.count
      return handlers
    }
    mutating func remove(_ pruned: [ObjectAddress: HandlerRecord]) {
      for (address, record) in pruned where handlers[address] === record { handlers[address] = nil }
      handlersAfterPruning = handlers.count
    }
  }
  let state = Lock(State())
  private let isStarted = Lock<Bool?>(nil)
  /// The latest calls and computations.
  package let log = ActivityLog()
  private let latestRejections = Lock<[RejectionRecord]>([])

  private init() {}

  /// Registers what is made from now on. False if another observer of objects was installed before.
  @discardableResult
  package func start() -> Bool {
    isStarted.withLock { known in
      let isStarted = known ?? install()
      known = isStarted
      return isStarted
    }
  }
  private func install() -> Bool {
    ObjectObservation.install(
      listCreated: { self.created($0, isHook: $1, payload: $2, label: $3, file: $4, line: $5) },
      nodeCreated: { self.created($0, value: $1, computations: $2, label: $3, file: $4, line: $5) },
      streamCreated: { self.created(stream: $0, filledBy: $1, of: $2, named: $3, look: $4) },
      destroyed: { self.destroyed($0) },
      handlerAdded: { subscription, source, file, line in
        let record = self.addHandler(subscription, of: source, file: file, line: line)
        return { start in record.time(callFrom: start) }
      },
      computationsAdded: {
        let (number, record) = self.addComputations()
        return (number, { computation in record.time(computation) })
      },
      rejected: { self.rejected($0) })
  }

  /// How many objects are alive.
  package var count: Int { state.withLock { $0.objects.count } }
  /// How many objects and handlers were registered so far.
  package var made: UInt { state.withLock { $0.made } }
  /// The latest rejections, oldest first; at most 64.
  package var rejections: [RejectionRecord] { latestRejections.withLock { $0 } }

  // MARK: What the engine reports

  private func created(
    _ list: HandlerList, isHook: Bool, payload: Any.Type, label: String?, file: StaticString, line: UInt
  ) {
    state.withLock { state in
      state.objects[address(of: list)] = ObjectRecord(
        number: state.nextNumber(), kind: isHook ? .hook : .event, label: label, file: file, line: line, type: payload,
        look: .list(list))
    }
  }
  private func created(
    _ node: ObjectAddress, value: Any.Type, computations: UInt, label: String?, file: StaticString, line: UInt
  ) {
    state.withLock { state in
      let record = state.computations.removeValue(forKey: computations)
      // An effect is a derived value without content.
      let kind: ObjectKind = record == nil ? .observed : value == Void.self ? .effect : .derived
      let number = record == nil ? state.nextNumber() : computations
      state.objects[node] = ObjectRecord(
        number: number, kind: kind, label: label, file: file, line: line, type: value, look: .node(record))
    }
  }
  private func created(
    stream: ObjectAddress, filledBy subscription: Subscription, of source: HandlerList, named name: String,
    look: @escaping ObjectObservation.StreamLook
  ) {
    let (key, source) = (address(of: subscription), address(of: source))
    state.withLock { state in
      let handler = state.handlers[key]
      state.objects[stream] = ObjectRecord(
        number: state.nextNumber(), kind: .stream, label: "stream of " + name, file: handler?.file ?? "unknown",
        line: handler?.line ?? 0, type: nil, look: .stream(source: source, look))
    }
  }
  private func destroyed(_ object: ObjectAddress) {
    // The objects that the record retains are released after the lock.
    let record = state.withLock { $0.objects.removeValue(forKey: object) }
    withExtendedLifetime(record) {}
  }

  private func addHandler(
    _ subscription: Subscription, of source: HandlerList, file: StaticString, line: UInt
  ) -> HandlerRecord {
    let (record, crowded) = state.withLock { state in
      let record = HandlerRecord(
        number: state.nextNumber(), subscription, source: address(of: source), file: file, line: line, log: log)
      state.handlers[address(of: subscription)] = record
      return (record, state.handlersToPrune())
    }
    if let crowded { prune(crowded) }
    return record
  }
  /// A look at a subscription retains it for a moment. If its last other reference is released meanwhile, it ends here, and what
  /// its handler captured is destroyed: user code, which may come back to the registry. So the look is made without the lock.
  private func prune(_ handlers: [ObjectAddress: HandlerRecord]) {
    let pruned = handlers.filter { !$0.value.isSubscribed }
    state.withLock { $0.remove(pruned) }
  }
  private func addComputations() -> (UInt, ComputationRecord) {
    state.withLock { state in
      let number = state.nextNumber()
      let record = ComputationRecord(number: number, log: log)
      state.computations[number] = record
      return (number, record)
    }
  }

  private func rejected(_ report: Diagnostics.Report) {
    let record = RejectionRecord(message: report.message, labels: report.labels, time: .now)
    latestRejections.withLock { rejections in
      rejections.append(record)
      if rejections.count > 64 { rejections.removeFirst() }
    }
  }
}
