/// A derived value that is computed when a consumer asks, and the notification that it may have changed.
///
/// The notification comes from a second node, the *probe*. It has a handler and a link to the value, and reads nothing. A commit
/// invalidates the probe with the value, and the thread that flushes its notifications computes the probe instead of the value.
/// This computation increments a count, notifies the handler, and cuts the link, because nothing was read. So of 1,000 commits the
/// first costs something and the others find no link. The next call that takes the value links the probe again.
///
/// No invalidation is lost. The link is made under the graph's lock, in the same region that finds the taken value to be the newest
/// and not stale. A later commit invalidates the probe. A commit that invalidated the probe earlier will still notify its handler.
final class LatestValue<Value: Sendable>: Sendable {
  private final class Nodes: Sendable {
    let value: Cell<Value>
    let probe: Cell<UInt>

    init(_ value: Cell<Value>) {
      Graph.retain(value.node)
      self.value = value
      let body = value.node.pointee.body.takeUnretainedValue()
      probe = Cell<UInt>(
        areEqual: nil, label: body.identity.label, maximumDepth: body.identity.queuedLimit, file: body.identity.file,
        line: body.identity.line
      ) { count, into in
        let next = count.map { $0.assumingMemoryBound(to: UInt.self).pointee &+ 1 } ?? 0
        into.initializeMemory(as: UInt.self, to: next)
        return true
      }
      probe.node.pointee.body._withUnsafeGuaranteedRef { $0.isProbe = true }
      ObjectObservation.destroyed(probe.node)  // a part of the stream, and no value of the program
    }
    deinit {
      releaseReference(to: probe.node)
      releaseReference(to: value.node)
    }
  }
  /// Nil once the stream has ended, which then no longer keeps the value.
  private let nodes: Lock<Nodes?>

  init(_ cell: Cell<Value>) { nodes = Lock(Nodes(cell)) }

  /// Calls the handler when the value has been invalidated since it was last taken.
  @_optimize(none)  // or the delivery would be compiled once more, for the probe's type
  func attach(_ handler: EventHandler<Change<UInt>>) -> Subscription {
    nodes.withLock { $0 }!.probe.attach(handler, sendingInitial: false, nil)
  }

  /// The newest value, computed if it is stale, and its version. The newer of two values has the higher version.
  /// - Returns: `isOpen` is false if the value was invalidated meanwhile. No handler is called for that, and the caller must take
  ///   the value again. `isFinal` is true if the value never changes again. Then the caller ends the subscription. Nil at the end.
  func take() -> (value: Value, version: UInt, isOpen: Bool, isFinal: Bool)? {
    guard let nodes = nodes.withLock({ $0 }) else { return nil }
    nodes.value.makeFresh(Context.current)
    let graph = Graph.takeMerging(nodes.value.node, nodes.probe.node)
    defer { Graph.unlock(graph) }
    guard let newest = nodes.value.node.pointee.latest else { return nil }
    let isOpen = !nodes.value.node.pointee.has(Node.stale) && newest.pointee.validFrom != Version.never
    let isFinal = nodes.value.node.pointee.isFinal
    if isFinal {
      // There is nothing to be notified of.
    } else if isOpen {
      graph.pointee.link(probe: nodes.probe.node, to: nodes.value.node)
    } else if newest.pointee.holds(at: VersionClock.now) {
      // The value is right for this snapshot alone, because a value that it read was released meanwhile. The next look must be at a
      // later snapshot.
      graph.pointee.leave(VersionClock.now)
    }
    return (Cell<Value>.value(newest).pointee, newest.pointee.number, isOpen, isFinal)
  }

  /// Ends the subscription, after the last value was taken.
  func end() {
    let last = nodes.withLock { $0.take() }
    if let last { last.probe.knownDelivery?.end() }
  }

  func close() {
    let last = nodes.withLock { $0.take() }
    withExtendedLifetime(last) {}
  }
}

extension Graph {
  /// Lets a probe be invalidated with a node that is not stale.
  fileprivate mutating func link(probe: NodePointer, to node: NodePointer) {
    if probe.pointee.has(Node.stale) || probe.pointee.deps != nil { return }
    probe.pointee.deps = attach(probe, to: node, .max)
    // The probe is computed without validating the node first, which would compute the node.
    probe.pointee.flags |= Node.incomplete
  }
}
