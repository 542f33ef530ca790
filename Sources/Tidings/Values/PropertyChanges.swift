/// The changes of an object: one event for all its properties, with the key paths of those that changed.
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
/// Simultaneous changes are delivered as one event, when all of them can be read: after the properties' own handlers, also
/// when one of those sets another value. For old and new values, observe the properties themselves.
public final class PropertyChanges<Root>: EventSource {
  let versions: Derived<[UInt]>
  private let keyPaths: [any PartialKeyPath<Root> & Sendable]

  /// Makes the event.
  ///
  /// - Parameters:
  ///   - properties: The properties to observe, which are not kept alive.
  ///   - label: The name in reports.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  @_optimize(none)  // or all of `Derived` would be compiled once more, for versions; in `attach` too
  public init(
    _ properties: ObservedProperty<Root>..., label: String? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    // Loops, here and in `attach`: closures of `map` and `filter` would be compiled into every client.
    var keyPaths: [any PartialKeyPath<Root> & Sendable] = []
    for property in properties { keyPaths.appendUnspecialized(property.keyPath) }
    self.keyPaths = keyPaths
    versions = Derived(label, file: file, line: line) {
      var versions: [UInt] = []
      for property in properties { versions.appendUnspecialized(property.version()) }
      return versions
    }
  }

  @_optimize(none)
  public func attach(_ handler: EventHandler<PropertyChange<Root>>) -> Subscription {
    let keyPaths = keyPaths
    return versions.attach(
      handler.adapted { pass in
        { change, context in
          let old = change.old ?? []
          var changed: [any PartialKeyPath<Root> & Sendable] = []
          for index in 0..<keyPaths.count where old[index] != change.new[index] {
            changed.appendUnspecialized(keyPaths[index])
          }
          pass(PropertyChange(keyPaths: changed), context)
        }
      })
  }
}
