/// What a transaction has written, until it commits. Touched by its thread alone.
final class Journal {
  /// How many transactions of this thread are open, one in the other.
  var level = 0
  /// In the order of first writing: the order of telling.
  private(set) var writes: [Write] = []
  private var byNode: [NodePointer: Write] = [:]
  /// Every single writing, so that an inner transaction that throws can be undone.
  private(set) var log: [Write] = []

  var hasWrites: Bool { !log.isEmpty }
  func write(of node: NodePointer) -> Write? { byNode[node].flatMap { $0.isEmpty ? nil : $0 } }

  func write<Value: Sendable>(to cell: Cell<Value>) -> TypedWrite<Value> {
    if let known = byNode[cell.node] { return unsafeDowncast(known, to: TypedWrite<Value>.self) }
    let new = TypedWrite(cell)
    writes.append(new)
    byNode[cell.node] = new
    return new
  }
  func note(_ write: Write) { log.append(write) }
  func undo(to count: Int) {
    while log.count > count { log.removeLast().undo() }
  }

  /// Before a derived value is computed at the pinned snapshot with what was written: updates apply to what others have
  /// committed since, as they will at the end.
  func rebase(_ context: ContextPointer) {
    for write in writes where !write.isEmpty { write.rebase(context.pointee.snapshot) }
  }

  /// Makes all of it visible at once, then tells.
  func commit(_ context: ContextPointer, _ here: (any Actor)?) {
    let depth = Frame.causalDepth
    let writes = writes.filter { !$0.isEmpty }
    var remains: Remains?
    while true {
      for write in writes { write.prepare() }
      let (isDone, rest) = graph.withLock { $0.commit(writes, depth: depth, context) }
      remains = rest
      if isDone { break }
    }
    Bones.end(remains, context)
    for write in writes { write.tell(here, depth: depth) }
    if !context.pointee.news.isEmpty { Context.drain(context, here) }
  }
}

/// The writings of one transaction to one value.
class Write {
  let node: NodePointer
  /// The version that what follows was made from; nil when it was made from none.
  final var expected: UInt?
  /// What is to be put in; nil when nothing is.
  final var fresh: RecordPointer?
  final var commit = Commit()

  init(_ node: NodePointer) {
    self.node = node
    graph.withLock { $0.retain(node) }
  }
  deinit { letGo(node) }
  var isEmpty: Bool { fatalError("abstract") }
  /// Where the value lies that this thread sees.
  var place: UnsafeMutableRawPointer { fatalError("abstract") }
  func undo() { fatalError("abstract") }
  func rebase(_ snapshot: UInt) { fatalError("abstract") }
  func prepare() { fatalError("abstract") }
  func tell(_ here: (any Actor)?, depth: Int) { fatalError("abstract") }
}

final class TypedWrite<Value: Sendable>: Write {
  private struct Operation {
    /// What the writing made of the value.
    var result: Value
    /// Nil when the value was set.
    let update: ((inout Value) throws -> Void)?
  }
  private let cell: Cell<Value>
  private var operations: [Operation] = []
  /// The version that the first update was applied to.
  private var base: UInt?
  private let own: UnsafeMutablePointer<Value?>

  init(_ cell: Cell<Value>) {
    self.cell = cell
    own = .allocate(capacity: 1)
    own.initialize(to: nil)
    super.init(cell.node)
  }
  deinit {
    own.deinitialize(count: 1)
    own.deallocate()
  }

  override var isEmpty: Bool { operations.isEmpty }
  var current: Value? { operations.last?.result }
  /// An optional lies where its value does.
  override var place: UnsafeMutableRawPointer { UnsafeMutableRawPointer(own) }

  /// The value that a first update is applied to.
  func begin() -> Value {
    let (value, version) = cell.committed()
    base = version
    return value
  }
  func append(_ value: Value, _ journal: Journal, updating update: ((inout Value) throws -> Void)? = nil) {
    operations.append(Operation(result: value, update: update))
    own.pointee = value
    journal.note(self)
  }
  override func undo() {
    operations.removeLast()
    own.pointee = operations.last?.result
  }

  /// The first writing is an update: all depends on what was there.
  private var isBound: Bool { operations[0].update != nil }

  override func rebase(_ snapshot: UInt) {
    guard isBound, let record = node.pointee.record(at: snapshot), record.pointee.version != base else { return }
    apply(to: Cell<Value>.value(record).pointee, record.pointee.version)
  }
  /// Does all the writing again, on another value. An update that throws on it is left out.
  private func apply(to value: Value, _ version: UInt) {
    if version == base { return }
    base = version
    var value = value
    for index in operations.indices {
      if let update = operations[index].update {
        var next = value
        do { try update(&next) } catch { next = value }
        value = next
        operations[index].result = value
      } else {
        value = operations[index].result
      }
    }
    own.pointee = value
  }

  override func prepare() {
    let context = Context.current
    if let fresh {
      self.fresh = nil
      let value = Cell<Value>.value(fresh).move()
      takeBack(fresh, of: node, context)
      _ = consume value
    }
    expected = nil
    let policy = node.pointee.body._withUnsafeGuaranteedRef { $0.values.areEqual }
    var result = operations.last!.result
    if isBound || policy != nil {
      let (value, version) = cell.committed()
      expected = version
      if isBound { apply(to: value, version) }
      result = operations.last!.result
      if let policy, cell.areEquivalent(value, result, policy) { return }
    }
    let fresh = newRecord(of: node, context)
    Cell<Value>.value(fresh).initialize(to: result)
    self.fresh = fresh
    prepared = result
  }
  private var prepared: Value?

  override func tell(_ here: (any Actor)?, depth: Int) {
    guard let fresh, let new = prepared else { return }
    if commit.claim != nil, let old = commit.old, let delivery = cell.knownDelivery {
      delivery.prepare(Change(old: Cell<Value>.value(old).pointee, new: new), Passage(here: here, ticket: nil))
    }
    commit.hasMore = commit.outcome == .refused
    cell.finish(commit, new, fresh, Context.current, here)
  }
}
