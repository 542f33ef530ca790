#if Macros
/// Makes every stored `var` of a class or an actor an observed property.
///
/// ```swift
/// @ObservedProperties @MainActor final class TradeTicket {
///   var quantity = 1
///   @ObservedAs(.distinct) var price = 100.0
///   private(set) var fills: [Int] = []
///   @Unobserved var cache: [String: Int] = [:]
///   @Derived var total: Double { Double(quantity) * price }
/// }
///
/// let subscription = ticket.$total.observe { change in print(change.new) }
/// ticket.quantity += 2
/// ```
///
/// A property stays what it was to code that reads and assigns it. Its storage is an `Observed`, named `$quantity`, which is
/// observed, set and updated from any thread; of a property whose setter is less accessible than itself (`private(set)`) it
/// is a `ReadOnly`. Its label, in reports, is `TradeTicket.quantity`. The class also gets:
///
/// - `$changes`, a `PropertyChanges`: one event for all its properties, made when it is first asked for. Of a `final`
///   class and of an actor only, and without the properties of a superclass.
/// - ``ObservedModel/snapshot()`` and ``ObservedModel/restore(_:isolation:)``, for undo.
/// - The code of `Codable`, `Encodable` or `Decodable`, if the class lists that protocol: under the names of the properties.
/// - Reads that Swift's observation tracks, if the class lists `Observable`.
///
/// In a class of a global actor and in an actor an assignment calls the handlers of that actor in place. In a class that
/// lists `Sendable` and belongs to no actor there is no setter, as `count += 1` would read, then write, and lose what another
/// thread wrote in between: there `$count.update { $0 += 1 }` is atomic and `$count.set(0)` replaces the value. With `private(set)`
/// the class itself writes `_count.update { $0 += 1 }`, and the property needs an initial value.
///
/// What cannot be observed is rejected with a message that says what to write: `weak` and `lazy` variables, property
/// wrappers, `willSet` and `didSet`, several variables in one declaration. ``Unobserved()`` leaves a property as it is.
///
/// - Parameter changes: What counts as a change of a property that has no ``ObservedAs(_:)``. With `.distinct` all of them
///   are `Equatable`.
@attached(member, conformances: ObservedModel, names: arbitrary)
@attached(memberAttribute)
@attached(extension, conformances: ObservedModel)
public macro ObservedProperties(changes: PropertyChangePolicy = .every) =
  #externalMacro(module: "TidingsMacrosPlugin", type: "ObservedPropertiesMacro")

/// Says what counts as a change of an observed property.
///
/// ```swift
/// @ObservedAs(.distinct) var price = 100.0
/// ```
///
/// `@ObservedProperties` attaches it to each stored `var` that has none, with `.every` unless its argument says `.distinct`.
///
/// - Parameter changes: `.distinct` leaves out assignments of an equal value.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(`$`), prefixed(_), prefixed(_observation_))
public macro ObservedAs(_ changes: PropertyChangePolicy) =
  #externalMacro(module: "TidingsMacrosPlugin", type: "ObservedAsMacro")

/// A computed property that is memoized and can be observed.
///
/// ```swift
/// @Derived var total: Double { Double(quantity) * price }
/// ```
///
/// `$total` is a `Derived` of the observed properties that the body names. It is made when it is first asked for, is computed
/// at most once for each change of what it reads, on any thread, and never from a mixture of old and new values. It captures those
/// properties and not the object, which therefore may be deinitialized while `$total` lives. Reading `total` itself runs the
/// body, as without the macro.
///
/// The body is copied, and reads what this class declares: its observed and derived properties and its constants. For an
/// inherited property write `$title.value`. Methods of the object are rejected; static ones and functions are not, if they are
/// `nonisolated`.
@attached(peer, names: prefixed(_derived_))
public macro Derived() = #externalMacro(module: "TidingsMacrosPlugin", type: "DerivedMacro")

/// Leaves a stored property as it is.
///
/// ```swift
/// @Unobserved var cache: [String: Int] = [:]
/// ```
@attached(peer)
public macro Unobserved() = #externalMacro(module: "TidingsMacrosPlugin", type: "UnobservedMacro")
#endif
