extension Cell {
  /// A derived value that can be compared.
  @_alwaysEmitIntoClient
  init(
    label: String?, maximumDepth: Int?, file: StaticString, line: UInt, _ compute: @escaping @Sendable () -> Value
  ) where Value: Equatable {
    let areEqual: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool = {
      isSame($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee)
    }
    self.init(
      areEqual: areEqual,
      label: label, maximumDepth: maximumDepth, file: file, line: line
    ) { base, into in
      let value = compute()
      // A value that `==` reads is no dependency. Where the type is known, the compiler knows whether `==` can read any value, so
      // the check costs a chain of integers nothing.
      if !Self.isEqualityBuiltIn { stopNoting() }
      let isChanged = if let base { !isSame(base.assumingMemoryBound(to: Value.self).pointee, value) } else { true }
      into.initializeMemory(as: Value.self, to: value)
      return isChanged
    }
  }

  /// A derived value of a type of which nothing is known here; it may still be `Equatable`.
  @_alwaysEmitIntoClient
  init(
    anything label: String?, maximumDepth: Int?, file: StaticString, line: UInt,
    _ compute: @escaping @Sendable () -> Value
  ) {
    self.init(
      knownComparison(of: Value.self), label: label, maximumDepth: maximumDepth, file: file, line: line
    ) { _ in compute() }
  }

  /// A derived value with a comparison, or with none, whose closure gets the previous value.
  @_alwaysEmitIntoClient
  init(
    _ areEqual: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)?, label: String?, maximumDepth: Int?,
    file: StaticString, line: UInt, _ compute: @escaping @Sendable (_ previous: UnsafeMutableRawPointer?) -> Value
  ) {
    self.init(areEqual: areEqual, label: label, maximumDepth: maximumDepth, file: file, line: line) { base, into in
      var value = compute(base)
      stopNoting()
      let isChanged =
        if let base, let areEqual { withUnsafeMutablePointer(to: &value) { !areEqual(base, $0) } } else { true }
      into.initializeMemory(as: Value.self, to: value)
      return isChanged
    }
  }
}

extension Cell {
  /// Whether `==` is the standard library's own and reads no value of this library. Plain bits alone do not prove it: a struct of
  /// two integers may have any `==`.
  @_alwaysEmitIntoClient @inline(__always)
  static var isEqualityBuiltIn: Bool {
    Value.self == Int.self || Value.self == Double.self || Value.self == Bool.self || Value.self == String.self
      || Value.self == Float.self || Value.self == UInt.self || Value.self == Int32.self || Value.self == UInt32.self
      || Value.self == Int64.self || Value.self == UInt64.self || Value.self == Int16.self || Value.self == UInt16.self
      || Value.self == Int8.self || Value.self == UInt8.self
  }

  /// A derived value with a custom comparison.
  init(
    comparing areEqual: @escaping (Value, Value) -> Bool, label: String?, file: StaticString, line: UInt,
    _ compute: @escaping @Sendable () -> Value
  ) {
    let untyped: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool = {
      areEqual($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee)
    }
    self.init(untyped, label: label, maximumDepth: nil, file: file, line: line) { _ in compute() }
  }
}

/// The comparison of a type that is `Equatable`, as far as that is known here.
@usableFromInline
func knownComparison(of type: Any.Type) -> ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)? {
  (type as? any Equatable.Type).map { comparison(of: $0) }
}
@usableFromInline
func comparison<Value: Equatable>(
  of _: Value.Type
) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool {
  { isSame($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee) }
}

/// Stops noting reads: the closure being computed has read all its dependencies.
@usableFromInline
func stopNoting() {
  Context.current.pointee.isTracking = false
}

extension ChangePolicy {
  /// The comparison of the policy, for values in raw memory.
  @usableFromInline
  var untyped: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)? {
    guard let areEquivalent else { return nil }
    return {
      areEquivalent($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee)
    }
  }
}
