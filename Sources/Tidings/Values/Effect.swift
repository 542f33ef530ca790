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
/// transaction, in a handler of a value and in a computation it follows them, as every other run does.
///
/// **What it may do.** Anything except change values. During a run, `set`, `update` and `emit` are rejected with a report,
/// as in the closure of a `Derived`, so that no effect can cause itself. To set or emit when something changes, observe it:
/// `Derived { … }.observe(.initial) { … }` reads in one closure and acts in the other.
///
/// **Lifetime.** The effect runs until its subscription is cancelled or dropped, and until then retains what the closure
/// captured. It ends when everything that its last run has read has ended. `pause()` suspends it. After `resume()` it runs once if
/// a dependency has changed meanwhile. An effect that is made in a run of another one is cancelled before the next run, unless its
/// subscription is kept elsewhere. ``onCleanup(file:line:_:)`` ends other things that a run has begun.
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
  let (call, cleanup) = (plain(body), RunCleanup(on: body.isolation))
  let reading = Derived<Void>(label ?? "effect", file: file, line: line) {
    withoutNoting { cleanup(on: cleanup.home) }
    call()
  }
  let runner = EffectRunner(reading.cell, cleanup)
  let handler = EventHandler<Change<UInt>>(
    { _ in runner.run() }, on: cleanup.home, selfCancellation: nil, site: CallSite(file: file, line: line))
  let subscription = runner.attach(handler)
  EffectRunner.running?.keep(subscription)
  Context.start(isolation) { [weak runner] here in runner?.notify(here) }
  return subscription
}

/// Calls a closure before the next run of the effect, and at its end.
///
/// ```swift
/// let ticking = effect {
///   let timer = Timer(every: interval.value)
///   onCleanup { timer.stop() }
/// }
/// ```
///
/// It ends what the run has begun. Closures are called once, the newest first, in turn with the cancelling of the effects that the
/// run has made. Before a run the closure is part of the effect: it only reads, and what it reads is no dependency. At the end, when
/// the subscription is cancelled or dropped or the effect has ended, no run is under way. Then it is called by the code that ends the
/// effect or, if it is isolated to an actor, on that actor by a task.
///
/// Outside the run of an effect the closure is never called, and the call is reported.
///
/// - Parameters:
///   - file: Where it is made. Filled in by the compiler.
///   - line: The line there.
///   - body: Ends what the run has begun. Must not block.
@_optimize(size)
public func onCleanup(
  file: StaticString = #fileID, line: UInt = #line,
  @_inheritActorContext _ body: @escaping @isolated(any) @Sendable () -> Void
) {
  if let run = EffectRunner.running { return run.add(body) }
  Diagnostics.reportCleanup(file, line)
}
