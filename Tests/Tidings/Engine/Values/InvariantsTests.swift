#if DEBUG
import Synchronization
import Testing

@testable import Tidings

@Suite("Invariants of the graph of values")
struct InvariantsTests {
  private let source = Observed(1)
  private let middle: Derived<Int>
  private let last: Derived<Int>

  init() {
    middle = Derived { [source] in source.value + 1 }
    last = Derived { [middle] in middle.value + 1 }
  }

  @Test("After a read, a set and a read all hold")
  func sound() {
    #expect(last.value == 3)
    source.set(2)
    #expect(last.cell.brokenInvariants() == [])
    #expect(last.value == 4)
    #expect(source.cell.brokenInvariants() == [])
  }

  @Test("A stale value with a fresh reader is found")
  func staleness() {
    _ = last.value
    middle.cell.node.pointee.flags |= Node.stale
    #expect(last.cell.brokenInvariants().contains { $0.hasSuffix("it is stale, and a reader is not") })
    middle.cell.node.pointee.flags &= ~Node.stale
    #expect(last.cell.brokenInvariants() == [])
  }

  @Test("A stale value with handlers, which no thread is about to notify, is found")
  func notification() {
    let token = last.observe { _ in }
    last.cell.node.pointee.flags |= Node.stale
    #expect(source.cell.brokenInvariants().contains { $0.hasSuffix("and no thread is about to notify them") })
    last.cell.node.pointee.flags &= ~Node.stale
    token.cancel()
  }

  @Test("A link that its dependency does not have is found")
  func links() {
    _ = last.value
    let subs = middle.cell.node.pointee.subs
    middle.cell.node.pointee.subs = nil
    #expect(last.cell.brokenInvariants().contains { $0.hasSuffix("the dependency that a link names does not have it") })
    middle.cell.node.pointee.subs = subs
    #expect(last.cell.brokenInvariants() == [])
  }

  @Test("A version that is not counted, and a reference that is missing, are found")
  func counts() {
    _ = last.value
    let node = middle.cell.node
    (node.pointee.olderCount, node.pointee.references) = (1, node.pointee.references - 2)
    let broken = last.cell.brokenInvariants()
    (node.pointee.olderCount, node.pointee.references) = (0, node.pointee.references + 2)
    #expect(broken.contains { $0.hasSuffix("it has 0 older versions, and counts 1") })
    #expect(broken.contains { $0.contains("references") })
    #expect(last.cell.brokenInvariants() == [])
  }
}
#endif
