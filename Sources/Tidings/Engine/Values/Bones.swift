/// What was taken out of the graph, to be ended outside the lock when nobody can be looking at it.
typealias Remains = UnsafeMutablePointer<Bones>

struct Bones {
  let node: NodePointer?
  let records: RecordPointer?
  let body: Unmanaged<Body>?
  /// What caused it, perhaps on another thread: what its end causes is deeper.
  let depth: Int
  /// Where it was taken out; of nothing else, this is what has come to its end.
  let graph: GraphPointer?
  var pin: UInt = 0
  var next: Remains?

  static func make(node: NodePointer, in graph: GraphPointer?) -> Remains {
    make(Bones(node: node, records: nil, body: nil, depth: 0, graph: graph))
  }
  static func make(graph: GraphPointer) -> Remains {
    make(Bones(node: nil, records: nil, body: nil, depth: 0, graph: graph))
  }
  private static func make(_ bones: Bones) -> Remains {
    let remains = Remains.allocate(capacity: 1)
    remains.initialize(to: bones)
    return remains
  }
  /// One list behind the other.
  static func chain(_ first: Remains?, before rest: Remains?) -> Remains? {
    guard var last = first else { return rest }
    while let next = last.pointee.next { last = next }
    last.pointee.next = rest
    return first
  }
  /// A chain of records, or one that is retired, of a node that may go before them.
  static func make(
    records: RecordPointer, of node: NodePointer, depth: Int? = nil, in graph: GraphPointer? = nil
  ) -> Remains {
    make(
      Bones(
        node: nil, records: records, body: node.pointee.body.retain(), depth: depth ?? Int(node.pointee.olderDepth),
        graph: graph))
  }

  /// The memory of a record that is retired, whose value has been ended: those who are pinned may be passing it.
  @inline(never)
  private static func keep(memoryOf record: RecordPointer, in graph: GraphPointer?) {
    guard let graph else { return UnsafeMutableRawPointer(record).deallocate() }
    let isKept = Graph.withRoot(of: graph) { graph in
      if graph.oldestPin == nil { return false }
      graph.keep(make(Bones(node: nil, records: record, body: nil, depth: 0, graph: graph.pointer)))
      return true
    }
    if !isKept { UnsafeMutableRawPointer(record).deallocate() }
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
      endAll(Graph.release(context.pointee.graves.pop(), for: context), context)
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
      if let node = bones.node { end(node, in: bones.graph) }
      if let body = bones.body {
        end(bones.records, body, in: bones.graph)
        body.release()
      } else if let record = bones.records {
        UnsafeMutableRawPointer(record).deallocate()
      } else if bones.node == nil, let graph = bones.graph {
        GraphStore.giveBack(graph)
      }
    }
  }

  private static func end(_ node: NodePointer, in graph: GraphPointer?) {
    let body = node.pointee.body
    end(node.pointee.latest, body, home: home(of: node), in: graph)
    end(node.pointee.told, body, in: graph)
    node.pointee.list?._withUnsafeGuaranteedRef { $0.letGo() }
    let withHome = node.pointee.isInPlace
    node.deinitialize(count: 1)
    Node.deallocate(node, withHome: withHome)
    body.release()
  }
  private static func end(
    _ records: RecordPointer?, _ body: Unmanaged<Body>, home: RecordPointer? = nil, in graph: GraphPointer?
  ) {
    let values = body._withUnsafeGuaranteedRef { $0.values }
    var next = records
    while let record = next {
      let isRetired = record.pointee.isRetired
      next = isRetired ? nil : record.pointee.older
      values.end?(UnsafeMutableRawPointer(record) + values.offset)
      if record == home { continue }
      if isRetired { keep(memoryOf: record, in: graph) } else { UnsafeMutableRawPointer(record).deallocate() }
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
