extension ValueSource {
  /// The value at the end of a link, whichever link changes.
  ///
  /// ```swift
  /// let city = person.chain { $0.address }.chain { $0.city }   // Derived<String>
  /// let subscription = city.observe { change in print(change.new) }
  /// ```
  ///
  /// Any link may change, the first included; each cause is one change. The closure may return another value source each
  /// time. The result retains the values on the path, not their sources, which stay with their owners.
  ///
  /// - Parameters:
  ///   - link: Returns the source of the next value. Only reads.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The derived value.
  @_alwaysEmitIntoClient
  public func chain<NextStep: ValueSource>(
    _ link: @escaping @Sendable (Value) -> NextStep, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<NextStep.Value> {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value).value }
  }

  /// The value at the end of an optional link, nil while there is no link.
  ///
  /// ```swift
  /// let name = selected.chain { $0?.name }   // Derived<String?>
  /// ```
  ///
  /// - Parameters:
  ///   - link: Returns the source of the next value, or nil. Only reads.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The derived value.
  @_alwaysEmitIntoClient @_disfavoredOverload  // or a closure of several statements is ambiguous
  public func chain<NextStep: ValueSource>(
    _ link: @escaping @Sendable (Value) -> NextStep?, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<NextStep.Value?> {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value)?.value }
  }

  /// The optional value at the end of an optional link, as one optional and not two.
  ///
  /// ```swift
  /// let spouse = selected.chain { $0?.partner }.chain { $0?.name }   // Derived<String?>
  /// ```
  ///
  /// - Parameters:
  ///   - link: Returns the source of the next value, or nil. Only reads.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The derived value.
  @_alwaysEmitIntoClient @_disfavoredOverload  // or a closure of several statements is ambiguous
  public func chain<NextStep: ValueSource, Wrapped: Sendable>(
    _ link: @escaping @Sendable (Value) -> NextStep?, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Wrapped?> where NextStep.Value == Wrapped? {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value)?.value ?? nil }
  }

  /// A member of the value, as a value of its own. It notifies when the member changes, and not when only other members do.
  ///
  /// ```swift
  /// let subscription = profile.city.observe { change in print(change.new) }
  /// ```
  ///
  /// A member with the name of a member of this type (`value`, `map`) is available as `profile[dynamicMember: \.value]`.
  @_alwaysEmitIntoClient
  public subscript<Member: Sendable>(dynamicMember keyPath: any KeyPath<Value, Member> & Sendable) -> Derived<Member> {
    let reader = reader
    // A label, since the place would be one in this library.
    let areEqual: (Member, Member) -> Bool = { isUnchanged($0, $1) }
    return Derived(comparing: areEqual, label: "member", file: #fileID, line: #line) { reader.value[keyPath: keyPath] }
  }
}

/// Several values as one value: a tuple.
///
/// ```swift
/// let place = combine(latitude, longitude)   // Derived<(Double, Double)>
/// let subscription = place.observe { change in map.center(on: change.new) }
/// ```
///
/// Two things differ from `Derived { (latitude.value, longitude.value) }`. A tuple is not `Equatable`, so that one would
/// notify whenever a source was set; here the components are compared, and one that is not `Equatable` always counts as
/// different. And the result retains none of the sources.
///
/// A type's own `==` may say less than all there is to a value. So components of types other than those of the standard library
/// are different whenever their source has changed by its own policy.
///
/// - Parameters:
///   - source: The values.
///   - file: Where it is made. Filled in by the compiler.
///   - line: The line there.
/// - Returns: The derived tuple.
@_alwaysEmitIntoClient
public func combine<each Source: ValueSource>(
  _ source: repeat each Source, file: StaticString = #fileID, line: UInt = #line
) -> Derived<(repeat (each Source).Value)> {
  let readers = (repeat (each source).reader)
  let areEqual: ((repeat (each Source).Value), (repeat (each Source).Value)) -> Bool = { old, new in
    for isUnchanged in repeat isUnchanged(each old, each new) {
      if !isUnchanged { return false }
    }
    return true
  }
  return Derived(comparing: areEqual, file: file, line: line) { (repeat (each readers).value) }
}
