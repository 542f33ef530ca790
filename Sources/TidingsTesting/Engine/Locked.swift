/// A value that a lock protects. Unchecked: it also carries what is not Sendable between handlers of one thread.
package final class Locked<Value>: @unchecked Sendable {
  private let monitor = Monitor()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    monitor.withLock { body(&value) }
  }

  package var current: Value {
    get { withLock { $0 } }
    set {
      // The old value is destroyed outside the lock, for its deinit may come back here.
      let old = withLock { value in
        defer { value = newValue }
        return value
      }
      withExtendedLifetime(old) {}
    }
  }
}
