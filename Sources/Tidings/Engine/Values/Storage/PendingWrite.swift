import Synchronization

typealias PendingWritePointer = UnsafeMutablePointer<PendingWrite>

/// The writes of one transaction to one value. They are in raw memory, which the write log reuses. With an object for each, and a
/// reference count at each access, a transaction of four sets took 1,240 ns instead of 170 ns.
struct PendingWrite {
  typealias Update = (UnsafeMutableRawPointer) throws -> Void

  /// The value after the writes so far.
  struct State {
    /// Holds the value; nil once that was handed over.
    var result: VersionPointer?
    /// Nothing was written, or all writes were undone.
    var isEmpty = true
    /// The first write is an update.
    var isBound = false
    /// The number of the version that the first update applies to.
    var base: UInt = 0
    /// The updates that are applied again if another thread has changed the value. Nil if the value was set first: then there is
    /// nothing to apply again.
    var updates: Updates?
  }
  /// The updates that were applied to the committed value, in order.
  final class Updates {
    let all: [Update]
    /// The first error that an update threw when they were last applied again.
    @exclusivity(unchecked) var failure: (any Error)?
    init(_ all: [Update]) { self.all = all }
  }
  /// The policy's answer, with the write and the committed version that it compared.
  struct Compared: BitwiseCopyable {
    let number: UInt
    let writeCount: UInt32
    let isEqual: Bool
  }

  let node: NodePointer
  /// Retained: the value lives as long as the transaction.
  private let owner: Unmanaged<AnyObject>
  var state = State()
  /// How often it was written.
  var writeCount: UInt32 = 0
  /// Its updates are being applied again.
  var isApplying = false
  /// The commit must replace the version `expectedNumber`; else it may replace any version.
  private var isExpected = false
  private var expectedNumber: UInt = 0
  /// The version that is to be committed; nil if there is none.
  var fresh: VersionPointer?
  var commit = Commit()
  var rare: Rare?
  /// State that few writes need.
  final class Rare {
    /// The states before each write of an inner transaction.
    @exclusivity(unchecked) var history: [State] = []
    @exclusivity(unchecked) var compared: Compared?
  }

  init(_ node: NodePointer, _ owner: AnyObject) {
    self.node = node
    self.owner = .passRetained(owner)
  }
  @inline(__always)
  func release() { owner.release() }

  var expected: UInt? {
    @inline(__always) get { isExpected ? expectedNumber : nil }
    set { (isExpected, expectedNumber) = (newValue != nil, newValue ?? 0) }
  }

  /// Nothing was written, or all writes were undone.
  var isEmpty: Bool { state.isEmpty }
  var failure: (any Error)? { state.updates?.failure }
  var mustNotMove: Bool { state.isBound || rare?.compared != nil }
  /// Whether there is something to notify, or to report.
  var isDue: Bool { commit.claim != nil || commit.outcome.isToBeReported }
  /// Whether a commit now would replace the version to which the updates were applied. Call under the lock.
  var isUpToDate: Bool {
    isEmpty || !state.isBound || isApplying || node.pointee.latest.unsafelyUnwrapped.pointee.number == state.base
  }
}
