// Declarations that do not exist on values, each with what to write instead. No program contains code of them.

extension EventSource {
  @available(
    *, unavailable,
    message: "an event has no initial value: observe { … }; startWith(_:) and replay(_:) deliver earlier values first"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload @discardableResult
  public func observe(
    _ option: ObserveOption, _ handler: @escaping (Payload) async throws -> Void
  ) -> Subscription { fatalError() }
}

extension ValueSource {
  @available(*, unavailable, renamed: "first(where:)")
  @_alwaysEmitIntoClient
  public func next(where predicate: (Value) -> Bool) async -> Value? { fatalError() }

  @available(*, unavailable, message: "a value ends when it is deinitialized, and a derived value with its sources")
  @_alwaysEmitIntoClient
  public func finish() { fatalError() }
}

extension Observed {
  @available(*, unavailable, message: "a value is set: use set(_:), or update { … }")
  @_alwaysEmitIntoClient
  public func emit(_ value: Value) { fatalError() }

  @available(*, unavailable, renamed: "set(_:)")
  @_alwaysEmitIntoClient
  public func send(_ value: Value) { fatalError() }

  @available(*, unavailable, renamed: "set(_:)")
  @_alwaysEmitIntoClient
  public func accept(_ value: Value) { fatalError() }

  @available(*, unavailable, renamed: "set(_:)")
  @_alwaysEmitIntoClient
  public func onNext(_ value: Value) { fatalError() }

  @available(*, unavailable, message: "the closure of update may run again and cannot wait: await first, then update")
  @_alwaysEmitIntoClient @_disfavoredOverload
  public func update<R>(_ body: (inout Value) async throws -> R) -> R { fatalError() }

  @available(*, unavailable, message: "a value is changed in place by update { $0 += … }")
  @_alwaysEmitIntoClient
  public static func += <Other>(value: Observed, other: Other) { fatalError() }

  @available(*, unavailable, message: "a value is changed in place by update { $0 -= … }")
  @_alwaysEmitIntoClient
  public static func -= <Other>(value: Observed, other: Other) { fatalError() }
}

extension Observed where Value: MutableCollection {
  @available(*, unavailable, message: "an element is read as value[…] and changed by update { $0[…] = … }")
  @_alwaysEmitIntoClient
  public subscript(index: Value.Index) -> Value.Element {
    get { fatalError() }
    set { fatalError() }
  }
}

extension Derived {
  @available(
    *, unavailable,
    message: "the closure of a derived value cannot wait: AsyncDerived { … }, of TidingsState, loads a value"
  )
  @_alwaysEmitIntoClient @_disfavoredOverload
  public convenience init(_ label: String? = nil, _ compute: @escaping () async throws -> Value) { fatalError() }

  @available(*, unavailable, message: "a derived value takes a closure that reads its inputs: Derived { … }")
  @_alwaysEmitIntoClient @_disfavoredOverload
  public convenience init(_ value: Value) { fatalError() }

  @available(*, unavailable, message: "a derived value follows from what its closure reads: set that")
  @_alwaysEmitIntoClient
  public func set(_ value: Value) { fatalError() }

  @available(*, unavailable, message: "a derived value follows from what its closure reads: update that")
  @_alwaysEmitIntoClient
  public func update<R>(_ body: (inout Value) throws -> R) -> R { fatalError() }

  @available(
    *, unavailable, message: "there is no such method: what is looked up in the value is a value too, and not called"
  )
  @_alwaysEmitIntoClient
  public func callAsFunction<each Argument>(_ argument: repeat each Argument) { fatalError() }
}

extension ReadOnly {
  @available(*, unavailable, message: "this value is read-only: its owner sets the value that it shows")
  @_alwaysEmitIntoClient
  public func set(_ value: Value) { fatalError() }

  @available(*, unavailable, message: "this value is read-only: its owner updates the value that it shows")
  @_alwaysEmitIntoClient
  public func update<R>(_ body: (inout Value) throws -> R) -> R { fatalError() }
}

@available(*, unavailable, message: "a transaction holds up nothing and cannot wait: await first, then write")
@_alwaysEmitIntoClient @_disfavoredOverload
public func transaction<R>(_ body: () async throws -> R) -> R { fatalError() }
