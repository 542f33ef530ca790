import Foundation
import Testing
import Tidings
import TidingsTesting

#if os(Linux)
@Suite("The memory of queues")
struct QueueMemoryTests {
  /// In a process of its own: other tests take memory too.
  @Test("The queue of a handler gives its memory back with its subscription, also when it is empty")
  func memory() async {
    await #expect(processExitsWith: .success) {
      let (event, queue) = (Event<Int>(), ManualQueue())
      func addAndEnd(_ count: Int) async {
        for _ in 0..<count {
          let onQueue = event.observe(on: .manual(queue)) { _ in }
          let (emitted, gate) = AsyncStream<Never>.makeStream()
          let awaiting = event.observe { number async in
            if number == 0 { for await _ in emitted {} }
          }
          for number in 0..<600 { event.emit(number) }
          gate.finish()
          queue.runAll()
          await awaiting.drained()
          onQueue.cancel()
          await awaiting.finish()
        }
      }
      await addAndEnd(20)
      let before = memoryInUse()
      await addAndEnd(200)
      // Each queue has had 1,024 places of 32 bytes.
      #expect(memoryInUse() - before < 3_000_000)
    }
  }
}

/// The bytes that are allocated, where a sanitizer counts them: it keeps freed blocks for a while, so resident memory says nothing
/// there. Elsewhere the bytes that are resident.
private func memoryInUse() -> Int {
  if let count = dlsym(dlopen(nil, RTLD_NOW), "__sanitizer_get_current_allocated_bytes") {
    return unsafeBitCast(count, to: (@convention(c) () -> Int).self)()
  }
  let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
  return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}
#endif
