/// The description of an event type by its operations.
///
/// Four closures are sufficient; each of the others allows one more sentence to be checked.
///
/// ```swift
/// var type = EventUnderTest(
///   "Event", make: { Event<Int>() }, add: { $0.observe($1) }, emit: { $0.emit($1) }, cancel: { $0.cancel() })
/// type.isThreadSafe = true
/// type.dropCancels = true
/// type.addOnce = { $0.once($1) }
/// ```
///
/// The source need not be one object. For a view of an event it is a pair of the event, which `emit` uses, and the view,
/// which `add` uses. Values of another payload type are made from the number and read back.
public struct EventUnderTest<Source, Token>: Sendable {
  /// A handler that receives the number.
  public typealias Handler = @Sendable (Int) -> Void

  /// The name of the type in reports.
  public let name: String
  /// Makes an event without handlers.
  public let make: @Sendable () -> Source
  /// Adds a handler and returns the token that removes it.
  public let add: @Sendable (Source, @escaping Handler) -> Token
  /// Emits a value.
  public let emit: @Sendable (Source, Int) -> Void
  /// Removes the handler.
  public let cancel: @Sendable (Token) -> Void

  /// Whether every operation may be called from any thread. Only then are other threads used.
  public var isThreadSafe = false
  /// Whether dropping the token of `add` removes the handler.
  public var dropCancels = false
  /// The causal depth beyond which an emission is rejected. Nil: cycles are not checked.
  public var maximumDepth: Int?
  /// Seconds after which a thread that makes no progress counts as stuck.
  public var patience = 120
  /// For a type that delivers later: returns when everything that was emitted has been delivered.
  public var quiesce: (@Sendable (Source) async -> Void)?
  /// Whether the handler may still be called.
  public var isActive: (@Sendable (Token) -> Bool)?

  /// Adds a handler that lives as long as its owner. The token, if there is one, is dropped.
  public var addWithOwner:
    (@Sendable (Source, ContractOwner, @escaping @Sendable (ContractOwner, Int) -> Void) -> Void)?
  /// Adds a handler for one call. The token, if there is one, is dropped.
  public var addOnce: (@Sendable (Source, @escaping Handler) -> Void)?
  /// Adds a handler that may fail, and the closure that receives the failure.
  public var addThrowing:
    (
      @Sendable (
        Source, _ onError: @escaping @Sendable (any Error) -> Void, _ handler: @escaping @Sendable (Int) throws -> Void
      ) -> Token
    )?
  /// Adds a handler that runs on an actor.
  public var addOnActor:
    (@Sendable (Source, ContractActor, @escaping @Sendable (isolated ContractActor, Int) -> Void) -> Token)?
  /// Emits a value on an actor.
  public var emitOnActor: (@Sendable (Source, isolated ContractActor, Int) -> Void)?
  /// Pauses the handler until `resume`.
  public var pause: (@Sendable (Token) -> Void)?
  /// Ends a `pause`.
  public var resume: (@Sendable (Token) -> Void)?
  /// Removes the handler and returns when no call of it is running.
  public var finish: (@Sendable (Token) async -> Void)?

  /// Makes a description of an event type from what every one can do; set what else it can do afterwards.
  ///
  /// - Parameters:
  ///   - name: The type's name, for reports.
  ///   - make: Makes an event without handlers.
  ///   - add: Adds a handler, and returns its token.
  ///   - emit: Emits a value.
  ///   - cancel: Cancels the subscription of a token.
  public init(
    _ name: String,
    make: @escaping @Sendable () -> Source,
    add: @escaping @Sendable (Source, @escaping Handler) -> Token,
    emit: @escaping @Sendable (Source, Int) -> Void,
    cancel: @escaping @Sendable (Token) -> Void
  ) {
    self.name = name
    self.make = make
    self.add = add
    self.emit = emit
    self.cancel = cancel
  }
}
