/// What changed of an object: one event for all its properties, which names them by key path.
///
/// ```swift
/// final class Person: Sendable {
///   let name = Observed("Ada")
///   let age = Observed(36)
///   let changes: PropertyChanges<Person>
///   init() { changes = PropertyChanges(.init(\.name, name), .init(\.age, age)) }
/// }
///
/// let subscription = person.changes.observe { change in
///   if change.contains(\.name) { redraw(person.name.value) }
/// }
/// transaction {
///   person.name.set("Grace")
///   person.age.set(85)
/// }  // one event, with both key paths
/// ```
///
/// What changed together is delivered as one event, when all of it can be read: after the properties' own handlers, also when
/// one of those sets another value. For old and new values, observe the properties.
public final class PropertyChanges<Root>: EventSource {
  let versions: Derived<[UInt]>
  private let keyPaths: [any PartialKeyPath<Root> & Sendable]

  @_optimize(none)  // or all of `Derived` would be compiled once more, for versions; in `attach` too
  public init(
    _ properties: ObservedProperty<Root>..., label: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    // Loops, here and in `attach`: what `map` and `filter` make of closures is compiled into every client.
    var keyPaths: [any PartialKeyPath<Root> & Sendable] = []
    for property in properties { keyPaths.append(property.keyPath) }
    self.keyPaths = keyPaths
    versions = Derived(label, file: file, line: line) {
      var versions: [UInt] = []
      for property in properties { versions.append(property.version()) }
      return versions
    }
  }

  @_optimize(none)
  public func attach(_ handler: EventHandler<PropertyChange<Root>>) -> Subscription {
    let keyPaths = keyPaths
    return versions.attach(
      handler.behind { pass in
        { change, passage in
          let old = change.old ?? []
          var changed: [any PartialKeyPath<Root> & Sendable] = []
          for index in 0..<keyPaths.count where old[index] != change.new[index] { changed.append(keyPaths[index]) }
          pass(PropertyChange(keyPaths: changed), passage)
        }
      })
  }
}

/// A property of an object, for ``PropertyChanges``.
public struct ObservedProperty<Root>: Sendable {
  let keyPath: any PartialKeyPath<Root> & Sendable
  let version: @Sendable () -> UInt

  /// - Parameters:
  ///   - keyPath: What events call it: `\.name`, or `\.$name` of a wrapped property. Of a class on an actor the property
  ///     is a `nonisolated let`: key paths to isolated properties are not `Sendable`.
  ///   - property: The property itself, which is not kept alive.
  public init<Value>(_ keyPath: any KeyPath<Root, Observed<Value>> & Sendable, _ property: Observed<Value>) {
    self.keyPath = keyPath
    version = property.cell.versionReader
  }
}

/// Which properties of an object have changed.
public struct PropertyChange<Root>: Sendable {
  /// In the order in which the properties were given.
  public let keyPaths: [any PartialKeyPath<Root> & Sendable]

  public func contains(_ keyPath: PartialKeyPath<Root>) -> Bool { keyPaths.contains { $0 == keyPath } }
}
