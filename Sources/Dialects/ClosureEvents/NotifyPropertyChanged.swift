import DialectSupport
import Tidings

/// An object that notifies of changes to its properties, each by its name.
///
/// ```swift
/// final class Account: NotifyPropertyChanged {
///   var owner = "" { didSet { onPropertyChanged("owner") } }
///   lazy var propertyChanged = PropertyChangedEvent(sender: self)
/// }
/// ```
///
/// The event is lazy because it takes `self`. Order, thread and lifetime are those of ``Event``: the closures run in the
/// background unless the event is made otherwise, and the event does not keep the object.
public protocol NotifyPropertyChanged {
  /// The event that notifies of all the properties.
  var propertyChanged: PropertyChangedEvent { get }
}

extension NotifyPropertyChanged {
  /// Notifies that the property of this name has changed: for the property's `didSet`.
  public func onPropertyChanged(_ propertyName: String) {
    propertyChanged.invoke(with: PropertyChangedEventArgs(propertyName: propertyName))
  }

  /// Notifies that the property has changed, by its key path, which the compiler checks: for the property's `didSet`.
  ///
  /// ```swift
  /// var owner = "" { didSet { onPropertyChanged(\.owner) } }
  /// account.propertyChanged += PropertyChangeClosure { _, args in
  ///   if args.keyPath == \Account.owner { print("another owner") }
  /// }
  /// ```
  ///
  /// Its `propertyName` is nil, so code that looks at names alone takes it for a change of anything. Beyond the original.
  public func onPropertyChanged(_ keyPath: PartialKeyPath<Self>) {
    propertyChanged.invoke(with: PropertyChangedEventArgs(keyPath: keyPath))
  }
}

/// Which property has changed: by name, by key path, or any of them.
///
/// ```swift
/// if args.propertyName == "owner" { print("another owner") }
/// ```
public struct PropertyChangedEventArgs: EventArgs, Sendable {
  /// More than one property has changed, or all.
  public static let allProperties = PropertyChangedEventArgs(propertyName: nil)

  /// The property's name; nil when several have changed, or when the property is named by ``keyPath``.
  public let propertyName: String?

  /// The property's key path, if it was named by that. To compare: reading through it is for where the object belongs.
  public var keyPath: AnyKeyPath? { path?.value }
  // Key paths do not change. Not every one counts as sendable: those to properties of the main actor do not, which must
  // be notified as well.
  private let path: UncheckedSendable<AnyKeyPath>?

  /// Notifies of the property by its name; nil for several.
  public init(propertyName: String?) {
    self.propertyName = propertyName
    path = nil
  }

  /// Notifies of the property by its key path.
  public init(keyPath: AnyKeyPath) {
    propertyName = nil
    path = UncheckedSendable(keyPath)
  }
}

/// The event of ``NotifyPropertyChanged``. Its sender is an `Any`: one closure can follow objects of several types.
open class PropertyChangedEvent: Event<Any, PropertyChangedEventArgs>, @unchecked Sendable {}  // as its base

/// A short name for the closures of ``PropertyChangedEvent``.
///
/// ```swift
/// account.propertyChanged += PropertyChangeClosure { sender, args in print(args.propertyName ?? "several") }
/// ```
open class PropertyChangeClosure: Closure<Any, PropertyChangedEventArgs>, @unchecked Sendable {}  // as its base
