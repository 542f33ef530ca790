#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Threads of the platform. Tasks would not do: a check may hold a thread up, and tasks share few.
package enum Threads {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that is waited for only through a gate.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    let thread = UnsafeMutablePointer<Identifier>.allocate(capacity: 1)
    defer { thread.deallocate() }
    let failure = pthread_create(thread, &attributes, { Threads.enter($0) }, context)
    precondition(failure == 0, "no thread could be started")
  }

  #if canImport(Darwin)
  private typealias Identifier = pthread_t?
  #else
  private typealias Identifier = pthread_t
  #endif

  private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  /// Runs `body` on a thread of its own and waits for it. False when it did not end in time.
  @discardableResult
  package static func elsewhere(seconds: Int = 300, _ body: @escaping @Sendable () -> Void) -> Bool {
    let ended = Gate(seconds: seconds)
    start {
      body()
      ended.open()
    }
    return ended.wait()
  }

  /// Runs `body` on `count` threads that start together, and waits for all. False when one did not end in time.
  @discardableResult
  package static func together(
    _ count: Int, seconds: Int = 300, _ body: @escaping @Sendable (_ thread: Int) -> Void
  ) -> Bool {
    let started = Gate()
    let ended = (0..<count).map { _ in Gate(seconds: seconds) }
    for index in 0..<count {
      start {
        started.wait()
        body(index)
        ended[index].open()
      }
    }
    started.open()
    return ended.reduce(true) { $1.wait() && $0 }
  }

  /// What distinguishes threads.
  package static var current: UInt {
    #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
  }
}
