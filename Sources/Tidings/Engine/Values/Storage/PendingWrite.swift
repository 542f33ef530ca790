import Synchronization

typealias PendingWritePointer = UnsafeMutablePointer<PendingWrite>

/// The writings of one transaction to one value. In raw memory, which the write log uses again: an object for each, and a
/// reference counted for each look at it, took a transaction of four sets from 170 to 1,240 ns.
struct PendingWrite {
  typealias Update = (UnsafeMutableRawPointer) throws -> Void

  /// What the writings so far make of the value.
  struct State {
    /// Holds it; nil when that was handed over.
    var result: VersionPointer?
    /// Nothing was written, or all of it was undone.
    var isEmpty = true
    /// The first writing is an update.
    var isBound = false
    /// The version that it applies to.
    var base: UInt = 0
    /// To be done again if the value has moved; where it was set first, there is nothing to do again.
    var updates: Updates?
  }
  /// What was done to the committed value, in order.
  final class Updates {
    let all: [Update]
    /// What the first of them threw that did when they were last done again.
    @exclusivity(unchecked) var failure: (any Error)?
    init(_ all: [Update]) { self.all = all }
  }
  /// What the policy said of which writing, beside which committed version.
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
  /// Its updates are being done again.
  var isApplying = false
  /// There is a version that is to be replaced; else any may be.
  private var isExpected = false
  private var expectedNumber: UInt = 0
  /// What is to be put in; nil when nothing is.
  var fresh: VersionPointer?
  var commit = Commit()
  var rare: Rare?
  /// What few writes need.
  final class Rare {
    /// The states before each writing of an inner transaction.
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

  /// All of it was undone.
  var isEmpty: Bool { state.isEmpty }
  var failure: (any Error)? { state.updates?.failure }
  var mustNotMove: Bool { state.isBound || rare?.compared != nil }
  /// Whether there is something to notify, or to report.
  var isDue: Bool { commit.claim != nil || commit.outcome.isToBeReported }
  /// Under the lock: whether a commit now would replace what the updates were applied to.
  var isUpToDate: Bool {
    isEmpty || !state.isBound || isApplying || node.pointee.latest.unsafelyUnwrapped.pointee.number == state.base
  }
}
