import Synchronization

typealias WriteLogPointer = UnsafeMutablePointer<WriteLog>

/// The writes of a transaction, until it commits. Only its thread accesses them. Nothing here is generic, because in unspecialised
/// code each mention of a generic type is a look-up.
struct WriteLog: ~Copyable {
  /// The number of the transaction under way, if anything has asked for it; else 0. No other transaction has the same number.
  private(set) var knownNumber: UInt32 = 0
  var number: UInt32 {
    mutating get {
      while knownNumber == 0 { knownNumber = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
      return knownNumber
    }
  }
  private static let lastNumber = Atomic<UInt32>(firstCount)

  /// Some write is an update, or some value has a policy. Then the commit does more than store values.
  var hasUpdates = false
  private(set) var hasPolicies = false
  /// How many nested transactions of this thread are open.
  var level = 0
  /// The writes, in the order of the first write to each value. Handlers are notified in this order.
  var writes = RawStack<PendingWritePointer>()
  /// The index of each node in `writes`, once there are many.
  private var places: Places?
  /// The writes of inner transactions, so that a transaction that throws can be undone.
  private(set) var inner = RawStack<PendingWritePointer>()
  /// Memory of writes that have ended, to be reused.
  private var spares = RawStack<PendingWritePointer>()
  private static var mostSpares: Int { 16 }

  /// The graphs with retired objects that wait for the end of the transaction.
  var graphsWithRetired = RawStack<GraphPointer>()
  mutating func noteRetired(in graph: GraphPointer) {
    for index in 0..<graphsWithRetired.count where graphsWithRetired[index] == graph { return }
    graphsWithRetired.push(graph)
  }
  var hasLeftRetired: Bool { !graphsWithRetired.isEmpty }

  var hasWrites: Bool {
    for index in 0..<writes.count where !writes[index].pointee.isEmpty { return true }
    return false
  }

  /// Whether the transaction writes a source, or the source of which the node is a replica.
  func writes(_ node: NodePointer) -> Bool {
    if write(of: node) != nil { return true }
    guard node.pointee.has(Node.replicated) else { return false }
    return (0..<writes.count).contains {
      writes[$0].pointee.node.pointee.body.toOpaque() == node.pointee.body.toOpaque() && !writes[$0].pointee.isEmpty
    }
  }
  func write(of node: NodePointer) -> PendingWritePointer? { known(node).flatMap { $0.pointee.isEmpty ? nil : $0 } }
  @inline(__always)
  private func known(_ node: NodePointer) -> PendingWritePointer? {
    if _slowPath(places != nil) { return places![node].map { writes[$0] } }
    for index in 0..<writes.count where writes[index].pointee.node == node { return writes[index] }
    return nil
  }
  @inline(__always)
  mutating func write(to node: NodePointer, of owner: AnyObject) -> PendingWritePointer {
    if let known = known(node) { return known }
    let new = spares.isEmpty ? PendingWritePointer.allocate(capacity: 1) : spares.pop()
    new.initialize(to: PendingWrite(node, owner))
    writes.push(new)
    if node.pointee.isCautious.load(ordering: .relaxed) { hasPolicies = true }
    if _slowPath(writes.count > 16) { place() }
    return new
  }
  @inline(never)
  private mutating func place() {
    var places = places.take() ?? [:]
    for place in places.count..<writes.count { places[writes[place].pointee.node] = place }
    self.places = places
  }

  mutating func note(_ write: PendingWritePointer) { inner.push(write) }

  /// Clears the log, whose memory this thread reuses.
  mutating func reset() {
    knownNumber = 0
    (hasUpdates, hasPolicies) = (false, false)
    writes.removeAll()
    if places != nil { places = nil }
    inner.removeAll()
  }
  mutating func giveBack(_ write: PendingWritePointer) {
    if spares.count < Self.mostSpares { spares.push(write) } else { write.deallocate() }
  }
  /// Frees the memory. The log is not used again.
  mutating func free() {
    while !spares.isEmpty { spares.pop().deallocate() }
    spares.free()
    writes.free()
    inner.free()
    graphsWithRetired.free()
  }
  mutating func popInner() -> PendingWritePointer { inner.pop() }
}
