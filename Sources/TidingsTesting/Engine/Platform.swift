// All that the kit takes from the platform: a lock with a condition, threads, the environment.
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

enum Platform {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  #if canImport(Darwin)
  private typealias Identifier = pthread_t?
  #else
  private typealias Identifier = pthread_t
  #endif

  /// Starts a thread that is waited for only through a gate.
  static func startThread(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let context = Unmanaged.passRetained(Body(body)).toOpaque()
    let thread = UnsafeMutablePointer<Identifier>.allocate(capacity: 1)
    defer { thread.deallocate() }
    let failure = pthread_create(thread, &attributes, { Platform.enter($0) }, context)
    precondition(failure == 0, "no thread could be started")
  }
  private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  /// The identity of the current thread.
  static var currentThread: UInt {
    #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
    #else
    UInt(pthread_self())
    #endif
  }

  /// Lets another thread run.
  static func yieldThread() { sched_yield() }

  /// A variable of the environment.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
