import Tidings

/// Fails if an object lives on after its last reference, and says which closure of it keeps it.
///
/// ```swift
/// @Test @MainActor func aClosedCartIsReleased() throws {
///   try expectReleased { Cart(following: market) }
/// }
/// ```
///
/// A handler that captures `self`, in an object that keeps the subscription, keeps the object for ever, and so does the closure of a
/// derived value that the object stores, as in `lazy var total = Derived { self.quantity.value * 2 }`. Neither is an error of the
/// language. The error, ``NotReleased``, names the handler, and in debug builds the line where it was added.
///
/// `make` is called again for each subscription that is left, to find the one that keeps the object.
///
/// - Parameter make: Makes the object, and uses it as far as the test wants. It keeps no reference to the object.
/// - Throws: ``NotReleased``, or what `make` throws.
public func expectReleased<Object: AnyObject>(_ make: () throws -> Object) throws {
  var first = try Made(make)
  guard first.isAlive else { return }
  let type = "\(Object.self)"
  let (count, derived) = (first.left.count, first.derivedProperties)
  first.cancel { _ in true }
  if first.isAlive { throw NotReleased(type: type, handlers: [], derivedProperties: derived) }
  // Without its subscriptions it was released: with which one alone is it not?
  var keepers: [LeakedSubscriptions.Leak] = []
  for index in 0..<count {
    var made = try Made(make)
    made.cancel { $0 != index }
    if made.isAlive, index < made.left.count { keepers.append(made.left[index].leak) }
    made.cancel { _ in true }
  }
  throw NotReleased(type: type, handlers: keepers, derivedProperties: [])
}

/// An object that was not released, and what keeps it.
public struct NotReleased: Error, CustomStringConvertible {
  /// The type of the object.
  public let type: String
  /// The handlers whose closures keep the object.
  public let handlers: [LeakedSubscriptions.Leak]
  /// The properties with derived values, if no handler keeps the object: the closure of one of them does, or something outside of
  /// this library.
  public let derivedProperties: [String]

  public var description: String {
    if !handlers.isEmpty {
      let lines = handlers.map { "\n  the handler of \($0)" }.joined()
      return
        "\(type) was not released. A closure keeps it:\(lines)\nUse observe(with: self) { … }, or capture [weak self]."
    }
    if derivedProperties.isEmpty {
      return "\(type) was not released, and no subscription and no derived value of it keeps it."
    }
    let names = derivedProperties.map { "'\($0)'" }.joined(separator: ", ")
    return
      "\(type) was not released. The closure of \(derivedProperties.count == 1 ? "" : "one of ")\(names) keeps its owner: "
      + "capture the values that it reads, Derived { [price] in price.value * 2 }, or use @Derived of TidingsMacros."
  }
}

/// An object without a reference, with the subscriptions that were made with it.
private struct Made<Object: AnyObject> {
  private weak var object: Object?
  let left: [(subscription: Subscription, leak: LeakedSubscriptions.Leak)]

  init(_ make: () throws -> Object) throws {
    let watch = LeakWatcher()
    weak var made: Object?
    try watch.during { made = try make() }
    object = made
    left = watch.leftSubscriptions
  }
  var isAlive: Bool { object != nil }

  mutating func cancel(_ isChosen: (Int) -> Bool) {
    for index in left.indices where isChosen(index) { left[index].subscription.cancel() }
  }

  /// The names of the object's stored properties whose values are computed by a closure.
  var derivedProperties: [String] {
    var (names, mirror) = ([String](), object.map { Mirror(reflecting: $0) })
    while let current = mirror {
      for (label, value) in current.children {
        let type = "\(Swift.type(of: value))"
        let isDerived = ["Derived<", "AsyncDerived<"].contains {
          type.hasPrefix($0) || type.hasPrefix("Optional<" + $0)
        }
        if isDerived, let label { names.append(String(label.trimmingPrefix("$__lazy_storage_$_"))) }
      }
      mirror = current.superclassMirror
    }
    return names
  }
}
