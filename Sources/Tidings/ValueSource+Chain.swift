extension ValueSource {
  /// The value of what a link leads to, whichever link changes.
  ///
  /// ```swift
  /// let city = person.chain { $0.address }.chain { $0.city }   // Derived<String>
  /// let subscription = city.observe { change in print(change.new) }
  /// ```
  ///
  /// Any link may change, the first included; each cause is one change. The closure may lead to another value each
  /// time. The result keeps the values on its way, not their sources: who owns those goes on owning them.
  @_alwaysEmitIntoClient
  public func chain<Next: ValueSource>(
    _ link: @escaping @Sendable (Value) -> Next, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Next.Value> {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value).value }
  }

  /// The value of what a link leads to, nil where it leads nowhere.
  ///
  /// ```swift
  /// let name = selected.chain { $0?.name }   // Derived<String?>
  /// ```
  @_alwaysEmitIntoClient
  public func chain<Next: ValueSource>(
    _ link: @escaping @Sendable (Value) -> Next?, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Next.Value?> {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value)?.value }
  }

  /// The same to a value that may be absent itself: one optional, not two.
  ///
  /// ```swift
  /// let spouse = selected.chain { $0?.partner }.chain { $0?.name }   // Derived<String?>
  /// ```
  @_alwaysEmitIntoClient
  public func chain<Next: ValueSource, Wrapped: Sendable>(
    _ link: @escaping @Sendable (Value) -> Next?, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Wrapped?> where Next.Value == Wrapped? {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value)?.value ?? nil }
  }

  /// A member of the value, as a value of its own: told when the member changes and not when only others do.
  ///
  /// ```swift
  /// let subscription = profile.city.observe { change in print(change.new) }
  /// ```
  ///
  /// A member that is called like one of ours (`value`, `map`) is reached by `profile[dynamicMember: \.value]`.
  @_alwaysEmitIntoClient
  public subscript<Member: Sendable>(dynamicMember keyPath: any KeyPath<Value, Member> & Sendable) -> Derived<Member> {
    let reader = reader
    return Derived { reader.value[keyPath: keyPath] }
  }
}

/// Several values as one.
///
/// ```swift
/// let place = combine(latitude, longitude)   // Derived<(Double, Double)>
/// let subscription = place.observe { change in map.center(on: change.new) }
/// ```
///
/// Says more than `Derived { (latitude.value, longitude.value) }` in this: a tuple is not `Equatable`, so that one
/// would tell whenever anything was set; here the parts are compared where they can be. And nothing keeps the sources
/// alive.
@_alwaysEmitIntoClient
public func combine<each Source: ValueSource>(
  _ source: repeat each Source, file: StaticString = #fileID, line: UInt = #line
) -> Derived<(repeat (each Source).Value)> {
  let readers = (repeat (each source).reader)
  let areEqual: ((repeat (each Source).Value), (repeat (each Source).Value)) -> Bool = { old, new in
    for isEqual in repeat areKnownEqual(each old, each new) {
      if !isEqual { return false }
    }
    return true
  }
  return Derived(comparing: areEqual, file: file, line: line) { (repeat (each readers).value) }
}

/// False for what cannot be compared.
@usableFromInline
func areKnownEqual<Value>(_ old: Value, _ new: Value) -> Bool {
  func compare<Known: Equatable>(_ old: Known) -> Bool { (new as? Known).map { old == $0 } ?? false }
  guard let old = old as? any Equatable else { return false }
  return compare(old)
}
