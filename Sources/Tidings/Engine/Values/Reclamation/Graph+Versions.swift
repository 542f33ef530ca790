import Synchronization

// Versions that pins may read, and retired objects that are kept until no pin can read them.
extension Graph {
  /// Whether `collect` would find anything to destroy.
  var canReclaim: Bool {
    if unseen != nil { return true }
    guard let firstRetired else { return false }
    return oldestPin.map { firstRetired.pointee.pin < $0.pointee.pin.number } ?? true
  }
  /// Takes over the retired objects of a graph that is merged into this one. Together with this graph's they wait until all current
  /// pins have ended, because the pins were numbered in two graphs.
  mutating func takeRetired(of other: GraphPointer) {
    if let first = other.pointee.firstRetired {
      if let lastRetired { lastRetired.pointee.next = first } else { firstRetired = first }
      lastRetired = other.pointee.lastRetired
      (other.pointee.firstRetired, other.pointee.lastRetired) = (nil, nil)
    }
    // Without pins no object waits, and the loop is skipped. This lets many graphs be merged one by one in linear time.
    var next = oldestPin == nil ? nil : firstRetired
    while let retired = next {
      retired.pointee.pin = pins
      next = retired.pointee.next
    }
    unseen = Retired.chain(other.pointee.unseen, before: unseen)
    other.pointee.unseen = nil
  }

  /// Returns the objects that can be destroyed now. Returns nothing while the thread is pinned or in a transaction, because a
  /// `deinit` may write. That write would be rejected, or join an unrelated transaction. The end of the pin or of the transaction
  /// collects again.
  @inline(never)
  mutating func collect(for context: ContextPointer) -> RetiredPointer? {
    guard context.pointee.isPlain else {
      context.pointee.writeLog?.pointee.noteRetired(in: pointer)
      return nil
    }
    let retired = Retired.chain(unseen, before: reclaimRetired())
    unseen = nil
    guard _slowPath(members == 0), isOver else { return retired }
    isFree = true
    return Retired.chain(retired, before: Retired.make(graph: pointer))
  }
  /// Nothing is left of the graph.
  var isOver: Bool { members == 0 && oldestPin == nil && !hasRetired && aged.isEmpty && !isMerged && !isFree }
  @inline(__always)
  private mutating func reclaimRetired() -> RetiredPointer? {
    guard let first = firstRetired else { return nil }
    guard let oldestPin else {
      firstRetired = nil
      lastRetired = nil
      return first
    }
    let oldest = oldestPin.pointee.pin.number
    guard first.pointee.pin < oldest else { return nil }
    var last = first
    while let next = last.pointee.next, next.pointee.pin < oldest { last = next }
    firstRetired = last.pointee.next
    if firstRetired == nil { lastRetired = nil }
    last.pointee.next = nil
    return first
  }

  /// Ends a pin. Returns the objects that no pin can see any more.
  @inline(__always)
  mutating func unpin(_ context: ContextPointer) -> RetiredPointer? {
    let isKeptFor = removePin(context)
    if _slowPath(!aged.isEmpty), oldestPin == nil || pins &- sweptAt > UInt(aged.count) { sweep() }
    let retired = _slowPath(hasRetired || members == 0) ? collect(for: context) : nil
    return _slowPath(isKeptFor) ? Retired.chain(retired, before: Retired.makeRecheck()) : retired
  }

  /// Removes the versions that no pin sees any more, after a pin has ended. While there are other pins, it runs only after enough
  /// new pins have paid for it.
  @inline(never)
  mutating func sweep() {
    sweptAt = pins
    var kept = 0
    for index in 0..<aged.count {
      let node = aged[index]
      trimNow(node)
      if let oldestPin, node.pointee.olderCount > 0 || isAwaited(node, by: oldestPin) {
        aged[kept] = node
        kept += 1
      } else {
        node.pointee.flags &= ~Node.aged
        if node.pointee.olderCount > 0 {
          keepElsewhere(node, until: node.pointee.latest.unsafelyUnwrapped.pointee.validFrom)
        }
        release(node)
      }
    }
    aged.removeAll(but: kept)
  }

  /// Whether a computation that began before a replica was made may have read the replica without having linked it yet.
  private func isAwaited(_ node: NodePointer, by oldestPin: ContextPointer) -> Bool {
    node.pointee.isReplicated && node.pointee.references == 1
      && oldestPin.pointee.pin.number <= node.pointee.notifiedNumber
  }

  /// Counts a version before which a new one was stored. From time to time it removes the versions that no pin sees; not each time,
  /// because a long pin makes the list long.
  @inline(__always)
  mutating func trim(_ node: NodePointer, depth: Int) {
    node.pointee.olderCount &+= 1
    node.pointee.olderDepth = max(node.pointee.olderDepth, UInt32(depth))
    if !node.pointee.has(Node.aged), oldestPin != nil {
      node.pointee.flags |= Node.aged
      retain(node)
      aged.push(node)
    }
    if node.pointee.olderCount >= Int(node.pointee.olderLimit) { trimNow(node) }
  }
  @inline(never)
  mutating func trimNow(_ node: NodePointer) {
    var version = node.pointee.latest!
    var kept = 0
    // A thread that computes the node compares its result with a version that need not be right for that thread.
    let isCompared = node.pointee.running > 0
    while let older = version.pointee.previous {
      if node.pointee.isSource {
        if isSeen(older, except: nil)
          || isSeenElsewhere(older, until: older.pointee.validUntil.load(ordering: .relaxed))
        {
          version = older
          kept += 1
        } else {
          version.pointee.previous = older.pointee.previous
          retire(older, of: node, depth: Int(node.pointee.olderDepth))
        }
      } else if oldestPin.map({ isCompared && version.pointee.validFrom <= $0.pointee.seen.snapshot }) ?? true {
        version.pointee.previous = nil
        keep(older, of: node)
      } else if !isCompared, !isSeen(older, except: nil) {
        version.pointee.previous = older.pointee.previous
        retire(older, of: node, depth: Int(node.pointee.olderDepth))
      } else {
        version = older
        kept += 1
      }
    }
    node.pointee.olderCount = kept
    node.pointee.olderLimit = UInt32(max(4, kept * 2))
    if kept == 0 { node.pointee.olderDepth = 0 }
    if oldestPin == nil { returnHome(node) }
  }
  /// Moves the newest value to the home version, where it is read without the lock. No thread is pinned in this graph.
  private mutating func returnHome(_ node: NodePointer) {
    guard node.pointee.isInPlace, let newest = node.pointee.latest, newest != home(of: node) else { return }
    let home = home(of: node)
    var version = newest
    while let older = version.pointee.previous {
      if older == home {
        // The home version is kept for a pin in another graph: a copy takes its place.
        version.pointee.previous = Graph.fullCopy(of: home, in: node)
        break
      }
      version = older
    }
    node.pointee.beginWriting()
    Version.copyValue(newest, to: home, of: node)
    home.pointee.previous = newest.pointee.previous
    home.pointee.validFrom = newest.pointee.validFrom
    home.pointee.number = newest.pointee.number
    home.pointee.validUntil.store(newest.pointee.validUntil.load(ordering: .relaxed), ordering: .relaxed)
    node.pointee.endWriting()
    node.pointee.latest = home
    UnsafeMutableRawPointer(newest).deallocate()
  }
  /// Keeps versions that pins may read or pass. The home version is free from now on: a pin that passes it finds the version before
  /// it.
  mutating func keep(_ versions: VersionPointer, of node: NodePointer) {
    var first: VersionPointer? = versions
    if node.pointee.isInPlace { first = leaveHome(versions, of: node) }
    if let first { keep(Retired.make(versions: first, of: node)) }
  }
  private func leaveHome(_ first: VersionPointer, of node: NodePointer) -> VersionPointer? {
    let home = home(of: node)
    if first == home {
      home.pointee.retire()
      return home.pointee.previous
    }
    var version = first
    while let older = version.pointee.previous {
      if older == home {
        version.pointee.previous = home.pointee.previous
        home.pointee.retire()
        break
      }
      version = older
    }
    return first
  }
  /// Retires a version that no pin sees, although some pins may pass it.
  mutating func retire(_ version: VersionPointer, of node: NodePointer, depth: Int) {
    version.pointee.retire()
    if node.pointee.isInPlace, version == home(of: node) { return }
    let retired = Retired.make(versions: version, of: node, depth: depth, in: pointer)
    retired.pointee.next = unseen
    unseen = retired
  }
}
