/// A value that tells when it changes: what ``Observed`` and ``Derived`` share.
public protocol ValueSource<Value>: EventSource where Payload == Change<Value> {
  associatedtype Value: Sendable

  /// The value now; in the closure of a `Derived`, also a dependency of it.
  var value: Value { get }

  /// Adds a handler that is told the value of this moment first, if `tellingInitial`.
  func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription

  /// The value for what depends on it: keeps the value, never the source.
  var reader: ValueReader<Value> { get }
}

/// Reads a value without keeping its source.
///
/// What `chain`, `combine` and member look-up make of a source, so that a subscription to them keeps no source alive.
public struct ValueReader<Value: Sendable>: Sendable {
  private let read: @Sendable () -> Value

  /// For a value source of your own, that wraps another: `ValueReader { source.value }`.
  public init(_ read: @escaping @Sendable () -> Value) { self.read = read }
  public var value: Value { read() }
}

/// How a handler of a value begins.
public struct ObserveOption: Sendable {
  /// It is told the value of the moment at once, with `old` nil.
  public static var initial: Self { Self() }
}

extension ValueSource {
  /// Calls the handler with the value of this moment, and then with every change, for as long as the subscription is
  /// kept.
  ///
  /// ```swift
  /// subscription = price.observe(.initial) { change in label.text = "\(change.new)" }
  /// ```
  ///
  /// The chain is unbroken: `old` of each change is `new` of the one before. A handler on another actor hears the first
  /// value through its queue like the others.
  public func observe(
    _ option: ObserveOption,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Change<Value>) -> Void,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) -> Subscription {
    attach(EventHandler(handler, CallSite(file: file, line: line)), tellingInitial: true, isolation: isolation)
  }

  public func attach(_ handler: EventHandler<Change<Value>>) -> Subscription {
    attach(handler, tellingInitial: false, isolation: nil)
  }
}
