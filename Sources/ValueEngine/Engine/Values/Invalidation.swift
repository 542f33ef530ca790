import Synchronization

/// The push of a commit: stores its word in `staledAt` of everything that depends on what is written, breadth first.
struct Invalidation: ~Copyable {
  struct Invalidated: BitwiseCopyable {
    let node: NodePointer
    /// The first of its links when they were followed.
    var firstSub: UInt
  }
  struct Met: BitwiseCopyable {
    let node: NodePointer
    let validFor: UInt
  }
  /// Nodes that were valid, and whose dependents are invalidated in turn.
  fileprivate var invalidated = RawStack<Invalidated>()
  /// Nodes that were stale already, so that their dependents are.
  fileprivate var met = RawStack<Met>()
}

extension ContextPointer {
  /// Invalidates the nodes in a list of links. A node is stale before its dependents are: a thread that finds a dependent stale by
  /// this commit finds what it depends on stale, or locked.
  @inline(__always)
  func invalidate(_ first: LinkPointer?, _ word: UInt) {
    var next = first
    while let link = next {
      let node = link.pointee.sub
      next = link.nextSub
      let validFor = node.pointee.validFor.load(ordering: .acquiring)
      let staledAt = node.pointee.staledAt.load(ordering: .acquiring)
      if staledAt == word { continue }
      // Also where it is stale: a validation that is under way must fail.
      node.pointee.staledAt.store(word, ordering: .releasing)
      // A commit that is still following links has invalidated the node, but perhaps not yet its dependents.
      if _fastPath(validFor == staledAt) || WriteSection.isRunning(staledAt, but: pointee.thread.number) {
        pointee.commit.invalidation.invalidated.push(Invalidation.Invalidated(node: node, firstSub: 0))
      } else {
        pointee.commit.invalidation.met.push(Invalidation.Met(node: node, validFor: validFor))
      }
    }
  }

  /// Follows the links of what was invalidated, to the end. True if a computation on another thread may have read any of it.
  @inline(__always)
  func finishInvalidation(_ word: UInt) -> Bool {
    var isConflict = false
    var (followed, checked) = (0, 0)
    // Those that read a written source directly.
    var direct = pointee.commit.invalidation.met.count
    while true {
      while followed < pointee.commit.invalidation.invalidated.count {
        let node = pointee.commit.invalidation.invalidated[followed].node
        let subs = node.pointee.subs.load(ordering: .acquiring)
        pointee.commit.invalidation.invalidated[followed].firstSub = subs
        followed &+= 1
        invalidate(LinkPointer(bitPattern: subs), word)
      }
      // The words are visible before the marks, the links and `validFor` are looked at. Its partners are the compare-exchange of a
      // mark, the fence after new links, and the fence after a publication: of each pair, one thread sees the other.
      fullFence()
      var isRevisited = false
      while checked < followed {
        let (node, firstSub) = (
          pointee.commit.invalidation.invalidated[checked].node,
          pointee.commit.invalidation.invalidated[checked].firstSub
        )
        checked &+= 1
        if isRead(node) { isConflict = true }
        // After the fence: the first handler of a node sets the flag and then asks, after a fence, whether the node is valid.
        if node.has(Node.isWatched) { enqueue(node) }
        let subs = node.pointee.subs.load(ordering: .acquiring)
        if _slowPath(subs != firstSub) {
          // A link that was added before the invalidation was visible.
          isRevisited = true
          invalidate(LinkPointer(bitPattern: subs), word)
        }
      }
      // The nodes that were invalidated now need a fence of their own.
      if _slowPath(isRevisited) { continue }
      while !pointee.commit.invalidation.met.isEmpty {
        let met = pointee.commit.invalidation.met.pop()
        if _slowPath(met.node.pointee.validFor.load(ordering: .acquiring) != met.validFor) {
          // Published between the look and the store: its dependents may be valid.
          pointee.commit.invalidation.invalidated.push(Invalidation.Invalidated(node: met.node, firstSub: 0))
        } else if pointee.commit.invalidation.met.count < direct {
          unlink(met.node)
        }
      }
      direct = 0
      if _fastPath(followed == pointee.commit.invalidation.invalidated.count) { break }
    }
    pointee.commit.invalidation.invalidated.truncate(to: 0)
    return isConflict
  }
}
