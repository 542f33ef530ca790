import CSuppressions
import Foundation
import Testing
import Tidings
import TidingsTesting

/// Chains that are found while they are computed: each closure reads the one before it in the middle of itself.
@Suite("Derived: recursion and the stack of the thread")
struct StackTests {
  /// Each link has been read once, without the one before it; now it needs that one.
  private static func recompute(links: Int) -> Int {
    let isShort = Observed(true)
    var last = Derived("link 0") { 0 }
    for number in 1...links {
      last = Derived("link \(number)") { [previous = last] in isShort.value ? 0 : previous.value + 1 }
      _ = last.value
    }
    isShort.set(false)
    return last.value
  }
  private static func onThread(stack: Int, _ body: @escaping @Sendable () -> Void) -> Bool {
    let ended = Gate()
    let thread = Thread {
      body()
      ended.open()
    }
    thread.stackSize = stack
    thread.start()
    return ended.wait()
  }

  /// In a process of its own: in this one another test may have installed an observer of objects, whose frames would count. The
  /// thread sanitizer has a stack of its own, of 65,536 calls.
  @Test(
    "150 links that need each other again are recomputed on the smallest stack in wide use, and 30,000 on a large one",
    arguments: [512 << 10, 256 << 20])
  func fits(stack: Int) async {
    await #expect(processExitsWith: .success) { [stack = stack as Int] in
      let (plain, sanitized) = stack == 512 << 10 ? (150, 40) : (30_000, 3_000)
      let (depth, links) = (Locked(0), tests_are_sanitized() == 0 ? plain : sanitized)
      precondition(StackTests.onThread(stack: stack) { depth.current = StackTests.recompute(links: links) })
      precondition(depth.current == links)
    }
  }

  @Test(
    "A recursion that the stack has no room for ends with a message that names the values", arguments: [2_000, 30_000])
  func isTooDeep(links: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [links = links as Int] in
      _ = StackTests.onThread(stack: links == 2_000 ? 512 << 10 : 8 << 20) { print(StackTests.recompute(links: links)) }
    }
    let message = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
    #expect(message.contains("the stack of this thread has no room to compute 'link "), "\(message.suffix(2_000))")
    #expect(message.contains(" → link "))
  }
}
