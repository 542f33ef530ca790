import Synchronization

typealias WriteLogPointer = UnsafeMutablePointer<WriteLog>

/// What a transaction has written, until it commits. Touched by its thread alone; nothing in it knows a type, since in
/// unspecialised code each generic part that is named is a look-up.
struct WriteLog: ~Copyable {
  /// That of the transaction under way, if anything has asked for it; else 0. No other transaction has it.
  private(set) var knownNumber: UInt32 = 0
  var number: UInt32 {
    mutating get {
      while knownNumber == 0 { knownNumber = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
      return knownNumber
    }
  }
  private static let lastNumber = Atomic<UInt32>(firstCount)

  /// Some write is an update, or has a policy to be asked: then the commit is more than putting values in.
  var hasUpdates = false
  private(set) var hasPolicies = false
  /// How many transactions of this thread are open, one in the other.
  var level = 0
  /// In the order of first writing: the order of notifying.
  var writes = RawStack<PendingWritePointer>()
  /// Which of them, once there are many.
  private var places: Places?
  /// What inner transactions have written, so that one that throws can be undone.
  private(set) var inner = RawStack<PendingWritePointer>()
  /// Memory of writes that are over.
  private var spares = RawStack<PendingWritePointer>()
  private static var mostSpares: Int { 16 }

  /// Something was to be destroyed, and waits for the end of the transaction.
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

  /// Whether a source is written, or the one that it is a replica of.
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

  /// Its memory is used again, by this thread.
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
  /// It is not used again.
  mutating func free() {
    while !spares.isEmpty { spares.pop().deallocate() }
    spares.free()
    writes.free()
    inner.free()
    graphsWithRetired.free()
  }
  mutating func popInner() -> PendingWritePointer { inner.pop() }
}
