// All that the core takes from the platform: four thread-locals, where a thread's stack ends, memory for the graph, a plain
// mutex, parking and a spin hint, standard error.
import CTidings
import Synchronization

/// The address of the innermost frame of this thread.
@inline(__always)
func frameAddress() -> UnsafeRawPointer? { tidings_top() }
@inline(__always)
func setFrameAddress(_ frame: UnsafeRawPointer?) { tidings_set_top(frame) }

/// The address of the `Trampoline` of this thread, and the word of its `Destruction`.
@inline(__always)
func trampolineAddress() -> UnsafeMutableRawPointer? { tidings_trampoline() }
@inline(__always)
func setTrampolineAddress(_ trampoline: UnsafeMutableRawPointer?) { tidings_set_trampoline(trampoline) }
@inline(__always)
func destructionAddress() -> UnsafeMutableRawPointer? { tidings_destruction() }
@inline(__always)
func setDestructionAddress(_ destruction: UnsafeMutableRawPointer?) { tidings_set_destruction(destruction) }

/// A mutex that the thread sanitizer understands.
struct PlatformMutex: ~Copyable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }
  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
  borrowing func lock() { pthread_mutex_lock(mutex) }
  borrowing func unlock() { pthread_mutex_unlock(mutex) }
}

/// Prints a line to standard error.
func printToStandardError(_ line: String) {
  // Not `withUTF8`, which takes a kilobyte of every client for strings that are none of Swift's own.
  let line = line + "\n"
  line.withCString { tidings_complain($0, line.utf8.count) }
}

/// The context that this thread keeps, if it has one.
@_alwaysEmitIntoClient @inline(__always)
func keptContext() -> UnsafeMutableRawPointer? { tidings_context() }

/// Keeps a context until the thread ends; then `end` is called with it.
func keepContext(
  _ context: UnsafeMutableRawPointer, until end: @escaping @convention(c) (UnsafeMutableRawPointer) -> Void
) {
  tidings_keep_context(context, end)
}

/// Prefetches what is at this address.
@inline(__always)
func prefetch(_ address: UnsafeRawPointer?) { tidings_prefetch(address) }

/// A pause in a spin loop that waits for another thread.
@inline(__always)
func spinPause() {
  #if TIDINGS_EXPLORED
  Seam.scheduler?.spin()
  #else
  tidings_pause()
  #endif
}

/// Whether what nests on this thread has come to the part of its stack that a recursion must leave free.
var isStackUsed: Bool { @inline(__always) get { tidings_is_stack_used() != 0 } }

/// The turn of a writer, see `WriterTurn`. A thread that waits for it parks.
func takeTurn(waiting milliseconds: Int) -> Bool {
  #if TIDINGS_EXPLORED
  Seam.scheduler?.acquire(Seam.turn)
  #endif
  return tidings_take_turn(milliseconds) != 0
}
func endTurn() {
  tidings_end_turn()
  #if TIDINGS_EXPLORED
  Seam.scheduler?.release(Seam.turn)
  #endif
}
func awaitTurnEnd(waiting milliseconds: Int) {
  #if TIDINGS_EXPLORED
  Seam.scheduler?.acquire(Seam.turn)
  Seam.scheduler?.release(Seam.turn)
  #else
  tidings_await_turn_end(milliseconds)
  #endif
}

/// Parks the thread while the word is `value`, for a millisecond at most.
func park(on word: UnsafeMutablePointer<Atomic<UInt32>>, while value: UInt32) {
  tidings_park(UnsafeRawPointer(word).assumingMemoryBound(to: UInt32.self), value)
}
func unpark(on word: UnsafeMutablePointer<Atomic<UInt32>>) {
  tidings_unpark(UnsafeRawPointer(word).assumingMemoryBound(to: UInt32.self))
}

#if canImport(Darwin)
/// The system's lock, which is the word.
@inline(__always)
func lockWord(_ word: UnsafeMutablePointer<Atomic<UInt32>>) {
  tidings_lock(UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self))
}
@inline(__always)
func unlockWord(_ word: UnsafeMutablePointer<Atomic<UInt32>>) {
  tidings_unlock(UnsafeMutableRawPointer(word).assumingMemoryBound(to: UInt32.self))
}
#endif

#if TIDINGS_PORTABLE
/// False when a run of the tests is to do without, as on macOS 15 to 25.
let startsImmediateTasks = tidings_starts_immediate_tasks() != 0
#endif

/// Parks the thread for some microseconds.
func parkBriefly() { tidings_rest() }

/// Zeroed words that all threads share.
var clockMemory: UnsafeMutableRawPointer { @inline(__always) get { tidings_clock() } }
var announcementMemory: UnsafeMutableRawPointer { @inline(__always) get { tidings_announcements() } }
var keptMemory: UnsafeMutableRawPointer { @inline(__always) get { tidings_kept() } }
