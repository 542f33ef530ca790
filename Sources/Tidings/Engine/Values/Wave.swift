/// The nodes that one round of telling is about: all made right at one snapshot, then told.
struct Wave {
  /// Where its nodes stand in the thread's news, from the one that is being settled on.
  let first: Int
  var index: Int
  let end: Int
  let firstClaim: Int
  let depth: Int
  /// What may be ended when the pin is given up.
  var remains: Remains?

  struct Claimed: BitwiseCopyable {
    let list: UnsafeRawPointer
    let claim: Claim
  }
}

/// What one thread is to tell: the nodes and claims of the waves under way, those of each behind those of the wave that it
/// interrupts, and then the nodes that wait for the next. One pile of each for all waves: with piles that were handed to
/// each wave and given back a diamond took 140 instructions of 2,170 more.
struct News {
  private var nodes = Pile<NodePointer>()
  private var claims = Pile<Wave.Claimed>()
  /// How many nodes are in waves.
  private var taken = 0
  /// How deep what waits, or is about to, was caused while this thread was pinned: it is told later, by who is less deep.
  private var depth = 0
  /// Behind the last of them: what comes after the pin is no deeper for it.
  private var deepEnd = Int.max

  /// Nothing waits for the next wave.
  var isEmpty: Bool { @inline(__always) get { nodes.count == taken } }
  @inline(__always)
  mutating func push(_ node: NodePointer) { nodes.push(node) }

  /// What is to be told now; what comes meanwhile is for the next wave.
  @inline(__always)
  mutating func takeWave(depth: Int) -> Wave {
    if _slowPath(self.depth != 0) { return takeDeepWave(depth: depth) }
    let first = taken
    taken = nodes.count
    return Wave(first: first, index: first, end: taken, firstClaim: claims.count, depth: depth)
  }
  @inline(never)
  private mutating func takeDeepWave(depth: Int) -> Wave {
    let first = taken
    taken = min(nodes.count, deepEnd)
    let depth = max(depth, self.depth)
    (self.depth, deepEnd) = (0, .max)
    return Wave(first: first, index: first, end: taken, firstClaim: claims.count, depth: depth)
  }
  mutating func deepen(to depth: Int) {
    self.depth = max(self.depth, depth)
    deepEnd = .max
  }
  /// The pin is over.
  @inline(__always)
  mutating func endDeepening() { if _slowPath(depth != 0) { keepDepth() } }
  @inline(never)
  private mutating func keepDepth() {
    if isEmpty { depth = 0 } else if deepEnd == .max { deepEnd = nodes.count }
  }
  /// A wave without nodes, for a claim that is made otherwise.
  func emptyWave(depth: Int) -> Wave {
    Wave(first: taken, index: taken, end: taken, firstClaim: claims.count, depth: depth)
  }
  subscript(index: Int) -> NodePointer { @inline(__always) get { nodes[index] } }

  @inline(__always)
  mutating func push(_ claimed: Wave.Claimed) { claims.push(claimed) }
  var claimCount: Int { @inline(__always) get { claims.count } }
  func claimed(_ index: Int) -> Wave.Claimed { claims[index] }

  /// The wave has been told, and those that have interrupted it.
  @inline(__always)
  mutating func end(_ wave: Wave) {
    claims.removeAll(but: wave.firstClaim)
    if !isEmpty {
      nodes.remove(from: wave.first, to: wave.end)
      if deepEnd != .max { deepEnd &-= wave.end &- wave.first }
    } else {
      nodes.removeAll(but: wave.first)
    }
    taken = wave.first
  }

  func free() {
    nodes.free()
    claims.free()
  }
}
