// All that the engine takes from the platform: a thread-local, a fence, parking, and zeroed words that all threads share.
import CValueEngine
import Synchronization

/// Orders all accesses before the fence before all accesses after it, loads after stores included.
@inline(__always)
func fullFence() { engine_fence() }
/// The same, right after a sequentially consistent read-modify-write of this thread: no instruction on x86.
@inline(__always)
func fullFenceAfterUpdate() { engine_fence_after_update() }
@inline(__always)
func spinPause() { engine_pause() }

/// The state that this thread keeps, if it has one.
@inline(__always)
func keptThread() -> UnsafeMutableRawPointer? { engine_thread() }
/// Keeps a state until the thread ends; then `end` is called with it.
func keepThread(
  _ state: UnsafeMutableRawPointer, until end: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
) {
  engine_keep_thread(state, end)
}

typealias Word = Atomic<UInt>
typealias WordPointer = UnsafeMutablePointer<Atomic<UInt>>

/// Zeroed words that all threads share, each in a line of its own. The version clock begins at 1.
var clockWord: WordPointer { @inline(__always) get { engine_clock().assumingMemoryBound(to: Word.self) } }
var settledWord: WordPointer { @inline(__always) get { engine_settled().assumingMemoryBound(to: Word.self) } }
var threadsWord: WordPointer { @inline(__always) get { engine_threads().assumingMemoryBound(to: Word.self) } }

@inline(__always)
func recordMemory(of number: UInt) -> UnsafeMutableRawPointer? { engine_record(number) }
func setRecordMemory(_ record: UnsafeMutableRawPointer, of number: UInt) { engine_set_record(number, record) }
var threadCapacity: UInt { UInt(engine_thread_capacity) }

// MARK: Parking

/// How many threads are parked on words with this address, and on others that share the counter.
@inline(__always)
private func parkedCount(_ address: UnsafeRawPointer) -> UnsafeMutablePointer<Atomic<UInt32>> {
  engine_parked(UInt(bitPattern: address)).assumingMemoryBound(to: Atomic<UInt32>.self)
}
/// Parks the thread while the lower half of the word is `value`, for a millisecond at most.
func park(on word: UnsafeRawPointer, while value: UInt32) {
  parkedCount(word).pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
  engine_park(word, value)
  parkedCount(word).pointee.wrappingSubtract(1, ordering: .relaxed)
}
/// Wakes the threads that are parked on a word, after it was written.
///
/// It may miss a thread that is just parking, which then waits for a millisecond. Ordering the two takes a read-modify-write for
/// each release of a lock.
@inline(__always)
func unparkWaiting(on word: UnsafeRawPointer) {
  if _slowPath(parkedCount(word).pointee.load(ordering: .relaxed) != 0) { engine_unpark(word) }
}
