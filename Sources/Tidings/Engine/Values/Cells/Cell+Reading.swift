extension Cell {
  /// The value in a computation where it is not known yet, or there is no capacity to note it.
  @_alwaysEmitIntoClient @inline(never)
  func valueUnknown(_ context: ContextPointer) -> Value {
    let (found, version, number) = Context.pull(node, context)
    context.pointee.note(found, number)
    return Self.value(version).pointee
  }
  /// The value outside computations, in a transaction, or untracked.
  @_alwaysEmitIntoClient @inline(never)
  func valueElsewhere() -> Value {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      let buffer = buffer.baseAddress.unsafelyUnwrapped
      readValue(of: node, into: UnsafeMutableRawPointer(buffer))
      return buffer.move()
    }
  }
}

// MARK: Without the type

/// Copies the value, as this thread sees it now, to uninitialised memory. It takes memory and not a closure, because it would be
/// compiled once for each closure that is passed.
///
/// - Returns: Its version, if the thread is pinned.
@usableFromInline @discardableResult
func readValue(of node: NodePointer, into buffer: UnsafeMutableRawPointer?) -> UInt {
  let context = Context.current
  let offset = node.pointee.valueOffset
  if context.pointee.seen.snapshot != 0 {
    if context.pointee.isOverlaid, let own = context.pointee.writeLog?.pointee.write(of: node)?.place {
      if context.pointee.isTracking { context.pointee.readsOfOwnWrites &+= 1 }
      return copy(own, of: node, to: buffer, context)
    }
    let (found, version, number) = Context.pull(node, context)
    if context.pointee.isTracking { context.pointee.note(found, number) }
    return copy(UnsafeMutableRawPointer(version) + offset, of: found, to: buffer, context)
  }
  var isOverlaid = false
  if let writeLog = context.pointee.writeLog, writeLog.pointee.hasWrites {
    if let own = writeLog.pointee.write(of: node)?.place { return copy(own, of: node, to: buffer, context) }
    isOverlaid = !node.pointee.isSource
  }
  if !isOverlaid {
    let graph = node.pointee.isSource ? Graph.take(of: node) : Graph.takePlaced(of: node)
    let isKnown = !node.pointee.has(Node.stale) && !node.pointee.isUnknown
    if isKnown {
      copy(UnsafeMutableRawPointer(node.pointee.latest.unsafelyUnwrapped) + offset, of: node, to: buffer, context)
    } else {
      graph.unsafelyUnwrapped.pointee.pin(context)
    }
    Graph.giveBack(graph, of: node)
    if isKnown { return 0 }
  } else {
    context.pointee.writeLog!.pin(context)
    context.pointee.isOverlaid = true
  }
  let version = Context.pull(node, context).version
  let number = copy(UnsafeMutableRawPointer(version) + offset, of: node, to: buffer, context)
  Context.unpin(context)
  return number
}
@inline(never) @discardableResult
private func copy(
  _ value: UnsafeMutableRawPointer, of node: NodePointer, to buffer: UnsafeMutableRawPointer?, _ context: ContextPointer
) -> UInt {
  if let buffer { node.pointee.body._withUnsafeGuaranteedRef { $0.values.copy(value, buffer) } }
  guard context.pointee.seen.snapshot != 0 else { return 0 }
  return version(of: node, at: context.pointee.seen.snapshot)?.pointee.number ?? 0
}

/// Returns the version number of a source, and notes the read as a dependency.
func versionNumber(of node: NodePointer) -> UInt { readValue(of: node, into: nil) }
