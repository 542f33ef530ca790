import Synchronization

extension Cell {
  @inlinable @inline(__always)
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
  @inlinable
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
  @inlinable
  var valueAtHome: Value? {
    @inline(__always) get {
      if Self.words == 0 { return nil }
      let sequence = node.pointee.sequence.load(ordering: .acquiring)
      let record = home(of: node)
      guard sequence & 1 == 0, record.pointee.until.load(ordering: .relaxed) == Record.open else { return nil }
      return withUnsafeTemporaryAllocation(byteCount: Self.words &* Record.word, alignment: 16) { room -> Value? in
        let room = room.baseAddress.unsafelyUnwrapped
        let words = Record.words(of: record)
        for index in 0..<Self.words {
          room.storeBytes(of: words[index].load(ordering: .relaxed), toByteOffset: index &* Record.word, as: UInt.self)
        }
        atomicMemoryFence(ordering: .acquiring)
        guard node.pointee.sequence.load(ordering: .relaxed) == sequence else { return nil }
        return room.assumingMemoryBound(to: Value.self).pointee
      }
    }
  }
  /// In a computation, and not known yet, or there is no room to note it.
  @inlinable @inline(never)
  func valueUnknown(_ context: ContextPointer) -> Value {
    let (record, version) = Context.pull(node, context)
    context.pointee.note(node, version)
    return Self.value(record).pointee
  }
  /// Out of every computation, in a transaction, or untracked.
  @inlinable @inline(never)
  func valueElsewhere() -> Value {
    var result: Value?
    look(at: node) { result = $0.assumingMemoryBound(to: Value.self).pointee }
    return result.unsafelyUnwrapped
  }
}

// MARK: Without the type

/// Shows the value as this thread sees it now; not for longer than the call.
@usableFromInline
func look(at node: NodePointer, _ body: (UnsafeMutableRawPointer) -> Void) {
  let context = Context.current
  let offset = node.pointee.valueOffset
  if context.pointee.snapshot != 0 {
    if context.pointee.isOverlaid, let own = context.pointee.writeLog?.write(of: node)?.place { return body(own) }
    let (record, version) = Context.pull(node, context)
    if context.pointee.isTracking { context.pointee.note(node, version) }
    return body(UnsafeMutableRawPointer(record) + offset)
  }
  var isOverlaid = false
  if let writeLog = context.pointee.writeLog, writeLog.hasWrites {
    if let own = writeLog.write(of: node)?.place { return body(own) }
    isOverlaid = !node.pointee.isSource
  }
  if !isOverlaid {
    let graph = node.pointee.isSource ? Graph.take(of: node) : Graph.takePlaced(of: node)
    let isKnown = !node.pointee.has(Node.stale) && !node.pointee.isUnknown
    if isKnown {
      body(UnsafeMutableRawPointer(node.pointee.latest.unsafelyUnwrapped) + offset)
    } else {
      graph.unsafelyUnwrapped.pointee.pin(context)
    }
    Graph.giveBack(graph, of: node)
    if isKnown { return }
  } else {
    context.pointee.writeLog!.pin(context)
    context.pointee.isOverlaid = true
  }
  body(UnsafeMutableRawPointer(Context.pull(node, context).record) + offset)
  Context.unpin(context)
}

/// The version of a source, noted as a dependency like its value.
func version(of node: NodePointer) -> UInt {
  var version: UInt = 0
  look(at: node) { _ in
    let context = Context.current
    if context.pointee.snapshot != 0, let record = record(of: node, at: context.pointee.snapshot) {
      version = record.pointee.version
    }
  }
  return version
}
