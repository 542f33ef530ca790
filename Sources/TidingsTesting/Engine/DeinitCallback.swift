/// Runs a closure when it is deinitialized.
package final class DeinitCallback: Sendable {
  private let end: @Sendable () -> Void

  package init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Keeps the object alive in a closure that calls it.
  @inline(never)
  package func touch() {}
}
