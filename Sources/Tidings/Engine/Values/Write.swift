import Synchronization

/// The writings of one transaction to one value.
final class Write {
  typealias Update = (UnsafeMutableRawPointer) throws -> Void

  struct State {
    /// Holds what all of it makes of the value; nil when that was handed over.
    var result: RecordPointer!
    /// The version that the first update applies to, where the first writing is one.
    var base: UInt = 0
    var isBound: Bool
    /// To be done again if the value has moved; where it was set first, there is nothing to do again.
    var updates: [Update] = []
    /// What the first of them threw that did when they were last done again.
    var failure: (any Error)?
  }
  let node: NodePointer
  private let owner: AnyObject
  @exclusivity(unchecked) private var state: State?
  /// The states before each writing of an inner transaction.
  @exclusivity(unchecked) private var history: [State?] = []

  /// How often it was written.
  @exclusivity(unchecked) private var writings = 0
  /// Its updates are being done again.
  @exclusivity(unchecked) private var isApplying = false
  /// What the policy said of which writing, beside which committed version.
  private struct Compared {
    let version: UInt
    let writings: Int
    let isEqual: Bool
  }
  @exclusivity(unchecked) private var compared: Compared?

  /// The version that is to be replaced; nil when any may be.
  @exclusivity(unchecked) private(set) var expected: UInt?
  /// What is to be put in; nil when nothing is.
  @exclusivity(unchecked) private(set) var fresh: RecordPointer?
  @exclusivity(unchecked) var commit = Commit()

  init(_ node: NodePointer, _ owner: AnyObject) {
    self.node = node
    self.owner = owner
  }
  deinit {
    let context = Context.current
    end(state, context)
    for state in history { end(state, context) }
  }
  func end(_ state: State?, _ context: ContextPointer) {
    guard let state else { return }
    guard let result = state.result else { return }
    if !node.pointee.isPlain { Context.endValue(of: result, node) }
    takeBack(result, of: node, context)
  }

  /// All of it was undone, or handed over.
  var isEmpty: Bool { state == nil }
  var isBound: Bool { state?.isBound ?? true }
  /// The address of the value that this thread sees.
  var place: UnsafeMutableRawPointer { UnsafeMutableRawPointer(state!.result) + node.pointee.valueOffset }

  private func copy(_ record: RecordPointer, _ context: ContextPointer) -> RecordPointer {
    let new = context.pointee.takeRecord(for: node)
    let offset = node.pointee.valueOffset
    node.pointee.body._withUnsafeGuaranteedRef {
      $0.values.copy(UnsafeMutableRawPointer(record) + offset, UnsafeMutableRawPointer(new) + offset)
    }
    return new
  }
  private func become(_ new: State, _ writeLog: WriteLog, _ context: ContextPointer) {
    let old = state
    state = new
    writings &+= 1
    if writeLog.level > 1 {
      history.append(old)
      writeLog.note(self)
    } else {
      end(old, context)
    }
  }
  /// Gives back what is to be ended.
  func undo() -> State? {
    writings &+= 1
    defer { state = history.removeLast() }
    return state
  }

  func set(_ record: RecordPointer, _ writeLog: WriteLog, _ context: ContextPointer) {
    become(State(result: record, isBound: false), writeLog, context)
  }
  /// - Parameter base: The version that it was applied to, if it is the first writing.
  func update(
    _ record: RecordPointer, _ base: UInt, _ writeLog: WriteLog, _ context: ContextPointer, _ update: @escaping Update
  ) {
    var next: State
    if let state {
      next = State(
        result: record, base: state.base, isBound: state.isBound, updates: state.isBound ? state.updates : [])
    } else {
      next = State(result: record, base: base, isBound: true)
    }
    if next.isBound { next.updates.append(update) }
    become(next, writeLog, context)
  }

  var failure: (any Error)? { state?.failure }
  var mustNotMove: Bool { isBound || compared != nil }
  /// Under the lock: whether a commit now would replace what the updates were applied to.
  var isUpToDate: Bool { isEmpty || !isBound || isApplying || node.pointee.latest!.pointee.version == state!.base }

  /// Does the updates again if another thread has moved the value. Not while one of them is being done again: what it reads
  /// of this value is what they have made of it so far.
  func rebase(_ context: ContextPointer) {
    guard !isEmpty, isBound, !isApplying else { return }
    let base = state!.base
    guard let (committed, version) = newest(unless: base) else { return }
    isApplying = true
    let updates = state!.updates
    replaceResult(committed, context)
    state!.base = version
    state!.failure = nil
    for update in updates {
      let next = copy(state!.result, context)
      do {
        try update(UnsafeMutableRawPointer(next) + node.pointee.valueOffset)
        replaceResult(next, context)
      } catch {
        // One that throws is left out.
        if state!.failure == nil { state!.failure = error }
        Context.endRecord(next, of: node, context)
      }
    }
    isApplying = false
  }
  /// A copy of the newest value, and its version, unless that is `base`.
  private func newest(unless base: UInt? = nil) -> (RecordPointer, UInt)? {
    let graph = Graph.take(of: node)
    defer { Graph.giveBack(graph, of: node) }
    let newest = node.pointee.latest!
    return newest.pointee.version == base ? nil : (Graph.copy(of: newest, in: node), newest.pointee.version)
  }
  private func replaceResult(_ record: RecordPointer, _ context: ContextPointer) {
    let old = state!.result!
    state!.result = record
    writings &+= 1
    Context.endRecord(old, of: node, context)
  }

  /// Asks the policy whether there is a change.
  func compare(_ context: ContextPointer) {
    compared = nil
    guard !isEmpty, let policy = node.pointee.body._withUnsafeGuaranteedRef({ $0.values.areEqual }) else { return }
    let (committed, version) = newest()!
    // A copy: the policy may write.
    let (own, number) = (copy(state!.result, context), writings)
    let offset = node.pointee.valueOffset
    let isEqual = policy(UnsafeMutableRawPointer(committed) + offset, UnsafeMutableRawPointer(own) + offset)
    compared = Compared(version: version, writings: number, isEqual: isEqual)
    Context.endRecord(committed, of: node, context)
    Context.endRecord(own, of: node, context)
  }
  func prepare() {
    commit = Commit()
    expected = nil
    fresh = nil
    guard !isEmpty else { return }
    let isUnchanged = compared.map { $0.isEqual && $0.writings == writings } ?? false
    expected = isBound ? state!.base : compared?.version
    fresh = isUnchanged ? nil : state!.result
  }

  /// Under the lock: what was put in is the node's now; what was there is for this to end.
  func handOver() { state!.result = commit.old }

  /// Whether there is something to notify, or to report.
  var isDue: Bool { commit.claim != nil || commit.outcome == .rejected }

  func notify(_ here: (any Actor)?, _ context: ContextPointer) {
    if commit.outcome == .rejected {
      return node.pointee.body._withUnsafeGuaranteedRef { $0.reject(depth: CausalFrame.causalDepth(context)) }
    }
    guard let claim = commit.claim, let list = node.pointee.list?.takeUnretainedValue() else { return }
    if node.pointee.isCautious.load(ordering: .relaxed) {
      list.preparePending(DeliveryContext(here: here, ticket: nil))
    }
    list.deliverPending(claim, here)
  }
}
