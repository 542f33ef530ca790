import Synchronization

extension Cell {
  /// Not inlined: every type of value, and each unspecialised reader of one, has one copy of 1 KB.
  @_alwaysEmitIntoClient @inline(never)
  var value: Value {
    guard let context = Context.currentIfAny, context.pointee.quick != 0 else { return valueOutside }
    guard node.pointee.graph.load(ordering: .acquiring) == context.pointee.graph, context.pointee.hasRoom,
      let record = record(of: node, at: context.pointee.quick)
    else {
      return valueUnknown(context)
    }
    context.pointee.noteQuickly(node, record.pointee.version)
    return Self.value(record).pointee
  }
  @_alwaysEmitIntoClient
  var valueOutside: Value {
    @inline(__always) get {
      if Self.words != 0, Context.currentIfAny.map({ $0.pointee.isPlain }) ?? true, let value = valueAtHome {
        return value
      }
      return valueElsewhere()
    }
  }
  /// Out of every computation and transaction: the newest value, without the lock, if it is in the home record, nothing has
  /// invalidated it, and it was not written meanwhile.
  @_alwaysEmitIntoClient
  var valueAtHome: Value? {
    @inline(__always) get { atHome { value, _ in value } }
  }
  /// With it, what `look` makes of it and of the record, in which a version is to be read.
  @_alwaysEmitIntoClient @inline(__always)
  func atHome<R>(_ look: (Value, RecordPointer) -> R) -> R? {
    if Self.words == 0 { return nil }
    let sequence = node.pointee.sequence.load(ordering: .acquiring)
    let record = home(of: node)
    guard sequence & 1 == 0, record.pointee.until.load(ordering: .relaxed) == Record.open else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: Self.words &* Record.word, alignment: 16) { room -> R? in
      let room = room.baseAddress.unsafelyUnwrapped
      let words = Record.words(of: record)
      for index in 0..<Self.words {
        room.storeBytes(of: words[index].load(ordering: .relaxed), toByteOffset: index &* Record.word, as: UInt.self)
      }
      let found = look(room.assumingMemoryBound(to: Value.self).pointee, record)
      atomicMemoryFence(ordering: .acquiring)
      return node.pointee.sequence.load(ordering: .relaxed) == sequence ? found : nil
    }
  }
  /// In a computation, and not known yet, or there is no room to note it.
  @_alwaysEmitIntoClient @inline(never)
  func valueUnknown(_ context: ContextPointer) -> Value {
    let (record, version) = Context.pull(node, context)
    context.pointee.note(node, version)
    return Self.value(record).pointee
  }
  /// Out of every computation, in a transaction, or untracked.
  @_alwaysEmitIntoClient @inline(never)
  func valueElsewhere() -> Value {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { room in
      let room = room.baseAddress.unsafelyUnwrapped
      look(at: node, into: UnsafeMutableRawPointer(room))
      return room.move()
    }
  }
}

// MARK: Without the type

/// Copies the value, as this thread sees it now, to uninitialised memory. With memory and not a closure, which would be compiled
/// once for each that is passed.
///
/// - Returns: Its version, if the thread is pinned.
@usableFromInline @discardableResult
func look(at node: NodePointer, into room: UnsafeMutableRawPointer?) -> UInt {
  let context = Context.current
  let offset = node.pointee.valueOffset
  if context.pointee.snapshot != 0 {
    if context.pointee.isOverlaid, let own = context.pointee.writeLog?.pointee.write(of: node)?.place {
      return copy(own, of: node, to: room, context)
    }
    let (record, version) = Context.pull(node, context)
    if context.pointee.isTracking { context.pointee.note(node, version) }
    return copy(UnsafeMutableRawPointer(record) + offset, of: node, to: room, context)
  }
  var isOverlaid = false
  if let writeLog = context.pointee.writeLog, writeLog.pointee.hasWrites {
    if let own = writeLog.pointee.write(of: node)?.place { return copy(own, of: node, to: room, context) }
    isOverlaid = !node.pointee.isSource
  }
  if !isOverlaid {
    let graph = node.pointee.isSource ? Graph.take(of: node) : Graph.takePlaced(of: node)
    let isKnown = !node.pointee.has(Node.stale) && !node.pointee.isUnknown
    if isKnown {
      copy(UnsafeMutableRawPointer(node.pointee.latest.unsafelyUnwrapped) + offset, of: node, to: room, context)
    } else {
      graph.unsafelyUnwrapped.pointee.pin(context)
    }
    Graph.giveBack(graph, of: node)
    if isKnown { return 0 }
  } else {
    context.pointee.writeLog!.pin(context)
    context.pointee.isOverlaid = true
  }
  let record = Context.pull(node, context).record
  let version = copy(UnsafeMutableRawPointer(record) + offset, of: node, to: room, context)
  Context.unpin(context)
  return version
}
@inline(never) @discardableResult
private func copy(
  _ value: UnsafeMutableRawPointer, of node: NodePointer, to room: UnsafeMutableRawPointer?, _ context: ContextPointer
) -> UInt {
  if let room { node.pointee.body._withUnsafeGuaranteedRef { $0.values.copy(value, room) } }
  guard context.pointee.snapshot != 0 else { return 0 }
  return record(of: node, at: context.pointee.snapshot)?.pointee.version ?? 0
}

/// The version of a source, noted as a dependency like its value.
func version(of node: NodePointer) -> UInt { look(at: node, into: nil) }
