// The one lock of the engine.
//
// `Synchronization.Mutex` is the faster, but on Linux the thread sanitizer does not see it and reports races that are
// none. So debug builds, and release builds with TIDINGS_PLATFORM_MUTEX defined, use the platform's mutex.
//
// What runs inside `withLock` is engine code only; calls of handlers and the destruction of values are returned from it and
// made after it.
#if TIDINGS_EXPLORED
/// The scheduler gives it; the mutex is for threads that the scheduler does not know.
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // the mutex orders every access to the value
  private let mutex = PlatformMutex()
  private let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
  }
  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }
  package borrowing func withLock<R>(_ body: (inout Value) -> R) -> R {
    Seam.scheduler?.acquire(UInt(bitPattern: value))
    mutex.lock()
    defer {
      mutex.unlock()
      Seam.scheduler?.release(UInt(bitPattern: value))
    }
    return body(&value.pointee)
  }
}
#elseif DEBUG || TIDINGS_PLATFORM_MUTEX
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // the mutex orders every access to the value
  private let mutex = PlatformMutex()
  private let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
  }
  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
  }
  package borrowing func withLock<R>(_ body: (inout Value) -> R) -> R {
    mutex.lock()
    defer { mutex.unlock() }
    return body(&value.pointee)
  }
}
#else
import Synchronization

package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {  // the mutex orders every access to the value
  private let mutex: Mutex<Value>

  package init(_ initial: consuming Value) {
    nonisolated(unsafe) let initial = initial  // as below
    mutex = Mutex(initial)
  }

  @inline(__always)
  package borrowing func withLock<R>(_ body: (inout Value) -> R) -> R {
    mutex.withLock { value in
      // `Mutex` wants what crosses it to be sent; what is kept here only ever leaves to be used by one thread.
      nonisolated(unsafe) let result = body(&value)
      return result
    }
  }
}
#endif
