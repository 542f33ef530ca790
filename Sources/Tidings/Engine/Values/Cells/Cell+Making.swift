extension Cell {
  /// A derived value that can be compared.
  @_alwaysEmitIntoClient
  init(
    label: String?, maximumDepth: Int?, file: StaticString, line: UInt, _ compute: @escaping @Sendable () -> Value
  ) where Value: Equatable {
    let areEqual: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool = {
      $0.assumingMemoryBound(to: Value.self).pointee == $1.assumingMemoryBound(to: Value.self).pointee
    }
    self.init(
      areEqual: areEqual,
      label: label, maximumDepth: maximumDepth, file: file, line: line
    ) { base, into in
      let value = compute()
      // What `==` reads is no dependency. Whether it can read anything is known while compiling where the type is: a chain of
      // integers pays nothing for the question.
      if !Self.isEqualityBuiltIn { stopNoting() }
      let isChanged = if let base { base.assumingMemoryBound(to: Value.self).pointee != value } else { true }
      into.initializeMemory(as: Value.self, to: value)
      return isChanged
    }
  }

  /// One of which nothing is known here; it may be `Equatable` all the same.
  @_alwaysEmitIntoClient
  init(
    anything label: String?, maximumDepth: Int?, file: StaticString, line: UInt,
    _ compute: @escaping @Sendable () -> Value
  ) {
    let areEqual = (Value.self as? any Equatable.Type).map { comparison(of: $0) }
    self.init(areEqual: areEqual, label: label, maximumDepth: maximumDepth, file: file, line: line) { base, into in
      var value = compute()
      stopNoting()
      let isChanged =
        if let base, let areEqual { withUnsafeMutablePointer(to: &value) { !areEqual(base, $0) } } else { true }
      into.initializeMemory(as: Value.self, to: value)
      return isChanged
    }
  }
}

extension Cell {
  /// Whether `==` is the standard library's own and reads no value of this library. Plain bits alone do not say so: a struct of
  /// two integers may have any `==`.
  @_alwaysEmitIntoClient @inline(__always)
  static var isEqualityBuiltIn: Bool {
    Value.self == Int.self || Value.self == Double.self || Value.self == Bool.self || Value.self == String.self
      || Value.self == Float.self || Value.self == UInt.self || Value.self == Int32.self || Value.self == UInt32.self
      || Value.self == Int64.self || Value.self == UInt64.self || Value.self == Int16.self || Value.self == UInt16.self
      || Value.self == Int8.self || Value.self == UInt8.self
  }

  /// One that is compared in a way of its own.
  init(
    comparing areEqual: @escaping (Value, Value) -> Bool, file: StaticString, line: UInt,
    _ compute: @escaping @Sendable () -> Value
  ) {
    let untyped: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool = {
      areEqual($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee)
    }
    self.init(
      areEqual: untyped,
      label: nil, maximumDepth: nil, file: file, line: line
    ) { base, into in
      let value = compute()
      stopNoting()
      let isChanged = if let base { !areEqual(base.assumingMemoryBound(to: Value.self).pointee, value) } else { true }
      into.initializeMemory(as: Value.self, to: value)
      return isChanged
    }
  }
}

@usableFromInline
func comparison<Value: Equatable>(
  of _: Value.Type
) -> (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool {
  { $0.assumingMemoryBound(to: Value.self).pointee == $1.assumingMemoryBound(to: Value.self).pointee }
}

/// The closure being computed has read all that it reads.
@usableFromInline
func stopNoting() {
  Context.current.pointee.isTracking = false
}

extension ChangePolicy {
  /// For values in raw memory.
  @usableFromInline
  var untyped: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)? {
    guard let areEquivalent else { return nil }
    return {
      areEquivalent($0.assumingMemoryBound(to: Value.self).pointee, $1.assumingMemoryBound(to: Value.self).pointee)
    }
  }
}
