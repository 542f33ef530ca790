/// Runs a closure, and runs it again when something that it has read has changed.
///
/// ```swift
/// let showing = effect { label.text = "\(quantity.value) × \(price.value)" }
/// ```
///
/// What a run reads of ``Observed``, ``Derived`` and their like are its dependencies, found anew in each run: a branch that is not
/// taken is none. All that a run reads is of one moment. Changes that happen together cost one run: those of a
/// ``transaction(isolation:_:)``, those that handlers make in one propagation, and those that wait for the actor. A
/// derived value that is recomputed and comes out equal causes none.
///
/// **Where it runs.** On the actor on which the closure was formed: in place when the change is made there and no run waits,
/// else through the effect's own queue. A closure without an actor runs on the thread that makes the change; its runs never overlap. The
/// first run is made before `effect` returns if the caller is on that actor, except in a transaction and in a handler of a
/// value, where it follows them as every other run does.
///
/// **What it may do.** Anything but change values: during a run, `set`, `update` and `emit` are rejected with a report, as
/// in the closure of a `Derived`, so that no effect can cause itself. To set or emit when something changes, observe it:
/// `Derived { … }.observe(.initial) { … }` reads in one closure and acts in the other.
///
/// **Lifetime.** It runs until the subscription is cancelled or dropped; until then it keeps what the closure captured.
/// `pause()` suspends it. When it is resumed it runs once if what it has read has changed meanwhile.
///
/// - Parameters:
///   - label: The name in reports.
///   - isolation: The caller's actor, found by the compiler; do not pass it.
///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
///   - line: The line there.
///   - body: Reads values and acts on what it finds. Must not block.
/// - Returns: The subscription that keeps it running.
/// - Complexity: a run costs what a computation of a `Derived` costs, and the change that causes it one call of a handler.
@_optimize(none)  // or all of a value and of its delivery would be compiled once more, for this one
public func effect(
  _ label: String? = nil, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
  line: UInt = #line, @_inheritActorContext _ body: @escaping @isolated(any) @Sendable () -> Void
) -> Subscription {
  let (home, call) = (body.isolation, plain(body))
  // Read by the first look, which links the effect to it wherever the caller is. Setting it then takes the first run to the
  // effect's actor in the way of every later one.
  let isBegun = Observed(false)
  let reading = Derived<Void>(label ?? "effect", file: file, line: line) { if isBegun.value { call() } }
  let runner = EffectRunner(reading)
  let handler = EventHandler<Change<UInt>>(
    { _ in runner.run() }, on: home, ending: nil, site: CallSite(file: file, line: line))
  let subscription = runner.attach(handler)
  isBegun.set(true, isolation: isolation)
  return subscription
}
