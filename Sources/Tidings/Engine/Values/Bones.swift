/// What was taken out of the graph, to be ended outside the lock when nobody can be looking at it.
typealias Remains = UnsafeMutablePointer<Bones>

struct Bones {
  let node: NodePointer?
  let records: RecordPointer?
  let body: Unmanaged<Body>?
  /// What caused it, perhaps on another thread: what its end causes is deeper.
  let depth: Int
  var pin: UInt = 0
  var next: Remains?

  static func make(node: NodePointer) -> Remains {
    let remains = Remains.allocate(capacity: 1)
    remains.initialize(to: Bones(node: node, records: nil, body: nil, depth: 0))
    return remains
  }
  /// A chain of records, or one that is retired, of a node that may go before them.
  static func make(records: RecordPointer, of node: NodePointer, depth: Int? = nil) -> Remains {
    let remains = Remains.allocate(capacity: 1)
    remains.initialize(
      to: Bones(
        node: nil, records: records, body: node.pointee.body.retain(), depth: depth ?? Int(node.pointee.olderDepth)))
    return remains
  }

  /// The memory of a record that is retired, whose value has been ended.
  @inline(never)
  private static func keep(memoryOf record: RecordPointer) {
    let remains = Remains.allocate(capacity: 1)
    remains.initialize(to: Bones(node: nil, records: record, body: nil, depth: 0))
    graph.withLock { $0.keep(remains) }
  }

  /// Ends them all. The end of a closure may give back more values, and the end of a value replace others; those wait in the
  /// context, so that a chain of a hundred thousand is let go without a stack of that depth.
  static func end(_ first: Remains?, _ context: ContextPointer) {
    guard first != nil || context.pointee.hasToEnd else { return }
    if context.pointee.isBurying { return Late.add(first, context) }
    context.pointee.isBurying = true
    endAll(first, context)
    while true {
      if context.pointee.snapshot == 0 { Late.endAll(context) }
      if context.pointee.graves.isEmpty || !context.pointee.isPlain { break }
      endAll(
        graph.withLock { graph in
          while !context.pointee.graves.isEmpty { graph.release(context.pointee.graves.pop()) }
          return graph.collect(for: context)
        }, context)
    }
    context.pointee.isBurying = false
  }
  static func endAll(_ first: Remains?, _ context: ContextPointer) {
    let outer = context.pointee.settling
    defer { context.pointee.settling = outer }
    var next = first
    while let remains = next {
      let bones = remains.move()
      remains.deallocate()
      next = bones.next
      context.pointee.settling = max(outer, bones.depth)
      if let node = bones.node { end(node) }
      if let body = bones.body {
        end(bones.records, body)
        body.release()
      } else if let record = bones.records {
        UnsafeMutableRawPointer(record).deallocate()
      }
    }
  }

  private static func end(_ node: NodePointer) {
    let body = node.pointee.body
    end(node.pointee.latest, body, home: home(of: node))
    end(node.pointee.told, body)
    node.pointee.list?._withUnsafeGuaranteedRef { $0.letGo() }
    let withHome = node.pointee.isInPlace
    node.deinitialize(count: 1)
    Node.deallocate(node, withHome: withHome)
    body.release()
  }
  private static func end(_ records: RecordPointer?, _ body: Unmanaged<Body>, home: RecordPointer? = nil) {
    let values = body._withUnsafeGuaranteedRef { $0.values }
    var next = records
    while let record = next {
      let isRetired = record.pointee.isRetired
      next = isRetired ? nil : record.pointee.older
      values.end?(UnsafeMutableRawPointer(record) + values.offset)
      if record == home { continue }
      if isRetired { keep(memoryOf: record) } else { UnsafeMutableRawPointer(record).deallocate() }
    }
  }
}

/// Gives back a reference to a node.
@usableFromInline
func letGo(_ node: NodePointer) {
  let context = Context.current
  context.pointee.graves.push(node)
  // A closure under way may have read it: it must live until that is written down. And nothing ends in a transaction.
  if context.pointee.isPlain, !context.pointee.isBurying { Bones.end(nil, context) }
}
