#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A lock with a condition. Of the platform's own, because a thread sanitizer must know it.
final class Monitor: @unchecked Sendable {  // its addresses never change
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Call with the lock held: releases it until another thread signals.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Call with the lock held. False when the time is over.
  func wait(until deadline: timespec) -> Bool {
    var deadline = deadline
    return pthread_cond_timedwait(condition, mutex, &deadline) == 0
  }

  /// Call with the lock held.
  func signal() { pthread_cond_broadcast(condition) }

  static func deadline(inSeconds seconds: Int) -> timespec {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    now.tv_sec += seconds
    return now
  }
}
