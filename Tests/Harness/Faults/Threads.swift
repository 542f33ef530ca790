/// Threads with stacks of a given size.
///
/// Unchecked: the identifiers are read by the thread that made them.
final class Threads: @unchecked Sendable {
  private var identifiers: [pthread_t] = []

  init(_ count: Int, stack: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    check(pthread_attr_setstacksize(&attributes, stack) == 0, "no thread has a stack of \(stack) bytes")
    for number in 0..<count {
      let start = Unmanaged.passRetained(Start { body(number) })
      #if canImport(Darwin)
      var identifier: pthread_t?
      #else
      var identifier = pthread_t()
      #endif
      let failure = pthread_create(&identifier, &attributes, { Start.run($0) }, start.toOpaque())
      check(failure == 0, "thread \(number) is not created: \(String(cString: strerror(failure)))")
      #if canImport(Darwin)
      identifiers.append(identifier!)
      #else
      identifiers.append(identifier)
      #endif
    }
  }

  func join() { for identifier in identifiers { pthread_join(identifier, nil) } }
}

private final class Start: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body() }
    return nil
  }
}
