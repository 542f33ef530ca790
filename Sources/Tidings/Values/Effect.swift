/// Runs a closure, and runs it again when a value that it has read has changed.
///
/// ```swift
/// let showing = effect { label.text = "\(quantity.value) × \(price.value)" }
/// ```
///
/// **Dependencies.** The ``Observed``, ``Derived`` and similar values that a run reads are its dependencies. They are
/// tracked dynamically, in each run: a branch that is not taken adds none. All values that a run reads are of one moment.
/// Simultaneous changes cause one run: those of a ``transaction(isolation:_:)``, those that handlers make in one
/// propagation, and those that wait for the actor. A derived value whose recomputed result is equal causes no run.
///
/// **Where it runs.** On the actor on which the closure was formed. A run is made in place if the change is made on that
/// actor and no run waits, otherwise through the effect's own queue. A closure without an actor runs on the thread that
/// makes the change. Runs never overlap. The first run is made before `effect` returns if the caller is on that actor. In a
/// transaction and in a handler of a value it follows them, as every other run does.
///
/// **What it may do.** Anything except change values. During a run, `set`, `update` and `emit` are rejected with a report,
/// as in the closure of a `Derived`, so that no effect can cause itself. To set or emit when something changes, observe it:
/// `Derived { … }.observe(.initial) { … }` reads in one closure and acts in the other.
///
/// **Lifetime.** The effect runs until its subscription is cancelled or dropped, and until then retains what the closure
/// captured. It ends when everything that its last run has read has ended. `pause()` suspends it. After `resume()` it runs once if a dependency has changed meanwhile.
///
/// - Parameters:
///   - label: The name in reports.
///   - isolation: The caller's actor. Filled in by the compiler.
///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
///   - line: The line there.
///   - body: Reads values and acts on them. Must not block.
/// - Returns: The subscription that keeps it running.
/// - Complexity: A run costs as much as a computation of a `Derived`; the change that causes it also costs one call of a
///   handler.
@_optimize(none)  // or all of a value and of its delivery would be compiled once more, for this one
public func effect(
  _ label: String? = nil, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
  line: UInt = #line, @_inheritActorContext _ body: @escaping @isolated(any) @Sendable () -> Void
) -> Subscription {
  let (home, call) = (body.isolation, plain(body))
  // The first read, before this is set, makes it a dependency wherever the caller is. Setting it then brings the first run
  // to the effect's actor in the same way as every later one.
  let isBegun = Observed(false)
  let begun = isBegun.reader
  let reading = Derived<Void>(label ?? "effect", file: file, line: line) { if begun.value { call() } }
  let runner = EffectRunner(reading.cell)
  let handler = EventHandler<Change<UInt>>(
    { _ in runner.run() }, on: home, selfCancellation: nil, site: CallSite(file: file, line: line))
  let subscription = runner.attach(handler)
  isBegun.set(true, isolation: isolation)
  return subscription
}
