/// Changes several values as one.
///
/// ```swift
/// transaction {
///   quantity.set(2)
///   price.set(8)
/// }
/// ```
///
/// Until the outermost transaction ends its writes are seen by its own thread alone. Then they appear together: no
/// handler of a value and no reader elsewhere sees half of them. Each value tells one change, in the order in which
/// they were first written.
///
/// A transaction inside another joins it. One that throws writes nothing, also an inner one whose error is caught. An
/// `update` is applied again if another thread wrote its value meanwhile, and if it then throws what the transaction may
/// throw, that throws it and writes nothing; of two `set`s the transaction that ends last wins. Nothing is locked
/// while `body` runs; at its end, when other threads have moved its values a few times, those wait until it is through.
/// Events that are emitted in it are delivered at once, and what their handlers write is part of it; what was emitted
/// elsewhere and is delivered by this thread is not. It never crosses an `await`.
///
/// A value that another thread or the computation of a ``Derived`` has replaced, or the capture of a handler that another
/// thread has cancelled, does not end in it: what its `deinit` writes is no part of it.
///
/// - Complexity: O(*n*) in the number of writes, and what they cause.
@_alwaysEmitIntoClient @discardableResult
public func transaction<R, E: Error>(
  isolation: isolated (any Actor)? = #isolation, _ body: () throws(E) -> R
) throws(E) -> R {
  let mark = Transaction.begin()
  let result: R
  do throws(E) {
    result = try body()
  } catch {
    Transaction.end(undoingTo: mark)
    throw error
  }
  if let error = Transaction.end(isolation, { $0 is E }) as? E { throw error }
  return result
}
