extension ValueSource {
  /// The value of what a link leads to, whatever link changes.
  public func chain<Next: ValueSource>(
    _ link: @escaping @Sendable (Value) -> Next, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Next.Value> {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value).value }
  }

  /// The value of what a link leads to, nil where it leads nowhere.
  public func chain<Next: ValueSource>(
    _ link: @escaping @Sendable (Value) -> Next?, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Next.Value?> {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value)?.value }
  }

  /// The same to a value that may be absent itself: one optional, not two.
  public func chain<Next: ValueSource, Wrapped: Sendable>(
    _ link: @escaping @Sendable (Value) -> Next?, file: StaticString = #fileID, line: UInt = #line
  ) -> Derived<Wrapped?> where Next.Value == Wrapped? {
    let reader = reader
    return Derived(nil, file: file, line: line) { link(reader.value)?.value ?? nil }
  }

  /// A member of the value, as a value of its own.
  public subscript<Member: Sendable>(dynamicMember keyPath: any KeyPath<Value, Member> & Sendable) -> Derived<Member> {
    let reader = reader
    return Derived { reader.value[keyPath: keyPath] }
  }
}
