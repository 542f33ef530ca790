// A closure that carries its isolation, converted to a plain one, so that code that is already on its actor may call it
// without `await`.
//
// Why the conversion holds: a function value kept in a field of a struct is the pair (code, context) and nothing else.
// `@isolated(any)` keeps the isolation in the context and adds no parameter to a synchronous function; `isolated O` is an
// ordinary parameter with a mark. So the two structs below have the same bits and the same calling convention. A *bare*
// function value handed to a generic function, which `unsafeBitCast` is, would be wrapped in a thunk with another
// convention: therefore always struct to struct. `IsolationTests` calls every shape that the library converts.
//
// The caller's duty: call the result only on the closure's own actor, or when it has none.

/// A handler as the engine calls it.
@usableFromInline typealias PlainHandler<Payload> = @Sendable (Payload) -> Void

private struct Isolated<P> {
  let call: @isolated(any) @Sendable (P) -> Void
  @inline(__always)
  init(call: __owned @escaping @isolated(any) @Sendable (P) -> Void) { self.call = call }
}

/// A converted closure, which still carries its isolation.
struct Converted<P>: Sendable {
  let call: PlainHandler<P>

  @inline(__always)
  init(_ handler: __owned @escaping @isolated(any) @Sendable (P) -> Void) {
    self = unsafeBitCast(Isolated(call: handler), to: Converted<P>.self)
  }
  /// A closure without isolation of its own; it must not be asked for it.
  @inline(__always)
  init(plain call: __owned @escaping PlainHandler<P>) { self.call = call }

  /// The closure without the type of its parameter. It must not be called as it is.
  @inline(__always)
  var erased: Converted<Never> { __consuming get { unsafeBitCast(self, to: Converted<Never>.self) } }

  var isolation: (any Actor)? { unsafeBitCast(self, to: Isolated<P>.self).call.isolation }
}

@usableFromInline
func plain<P>(_ handler: __owned @escaping @isolated(any) @Sendable (P) -> Void) -> PlainHandler<P> {
  Converted(handler).call
}

private struct IsolatedPair<O, P> { let call: @isolated(any) @Sendable (O, P) -> Void }
private struct UnisolatedPair<O, P> { let call: @Sendable (O, P) -> Void }

@usableFromInline
func plain<O, P>(_ handler: @escaping @isolated(any) @Sendable (O, P) -> Void) -> @Sendable (O, P) -> Void {
  unsafeBitCast(IsolatedPair(call: handler), to: UnisolatedPair<O, P>.self).call
}

// Both with the same constraint: a parameter that is known to be a class is passed in another way than one that is not.
private struct OnOwner<O: Actor, P> { let call: @Sendable (isolated O, P) -> Void }
private struct WithOwner<O: Actor, P> { let call: @Sendable (O, P) -> Void }

@usableFromInline
func plain<O: Actor, P>(onOwner handler: @escaping @Sendable (isolated O, P) -> Void) -> @Sendable (O, P) -> Void {
  unsafeBitCast(OnOwner(call: handler), to: WithOwner<O, P>.self).call
}

private struct OnCaller { let call: (isolated (any Actor)?) -> Void }
private struct WithCaller { let call: ((any Actor)?) -> Void }

/// A closure that is called where the caller says that it is.
func plain(_ body: @escaping (isolated (any Actor)?) -> Void) -> ((any Actor)?) -> Void {
  unsafeBitCast(OnCaller(call: body), to: WithCaller.self).call
}

private struct IsolatedThrowing<P, E: Error> { let call: @isolated(any) @Sendable (P) throws(E) -> Void }
private struct UnisolatedThrowing<P, E: Error> { let call: @Sendable (P) throws(E) -> Void }

@usableFromInline
func plain<P, E: Error>(
  _ handler: @escaping @isolated(any) @Sendable (P) throws(E) -> Void
) -> @Sendable (P) throws(E) -> Void {
  unsafeBitCast(IsolatedThrowing(call: handler), to: UnisolatedThrowing<P, E>.self).call
}

private struct Unchecked<P> { let call: (P) -> Void }

/// A closure that may not be `Sendable`. Unchecked: the caller asserts that it may cross threads. The attribute is in the type
/// alone.
func plain<P>(unchecked handler: @escaping (P) -> Void) -> PlainHandler<P> {
  unsafeBitCast(Unchecked(call: handler), to: Converted<P>.self).call
}

#if DEBUG
/// Stops a debug build whose caller says that it is on the main actor and is not.
///
/// The compiler fills in the isolation. In a client of Swift 5 mode it may be wrong: a closure that was formed on the main actor
/// may be run anywhere, and would call handlers of the main actor there.
@inline(never)
func assertIsolated(_ isolation: (any Actor)?) {
  if isolation is MainActor {
    MainActor.assertIsolated(
      "emitted off the main actor, by a closure that was formed on it: its handlers would run on the wrong thread")
  }
}
#endif

/// The address of an actor, only ever compared; 0 for none.
@inline(__always)
func address(_ actor: (any Actor)?) -> UInt {
  guard let actor else { return 0 }
  return UInt(bitPattern: Unmanaged.passUnretained(actor as AnyObject).toOpaque())
}
