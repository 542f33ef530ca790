import Testing

@testable import Tidings

@Suite("The deliveries under way on a thread")
struct CausalFrameTests {
  @Test("All effects of one outermost value are one chain, at any depth of nested deliveries")
  func chain() {
    let (outer, inner) = (Event<Int>(), Event<Int>())
    func chain(after before: UInt32?) -> UInt32 {
      CausalFrame.push(outer.delivery) {
        let first = before.map { _ in CausalFrame.currentChain }
        let within = CausalFrame.push(inner.delivery) { CausalFrame.currentChain }
        #expect(within == CausalFrame.currentChain && first.map { $0 == within } ?? true)
        return within
      }
    }
    #expect(CausalFrame.currentChain == 0)
    let one = chain(after: nil)
    let other = chain(after: one)
    #expect(one != 0 && other != 0 && one != other)
  }
}
