import Synchronization

/// An object that is made at its first use, on any thread: what `lazy` is to a class of one isolation.
///
/// The macros store one for each `@Derived` property and for `$changes`, as those can be made only when all properties of
/// their object are initialized. Nothing is allocated before the first use, and no lock is held while the object is made:
/// of two that are made simultaneously one is kept and given to both threads.
public struct LazyReference<Instance: AnyObject & Sendable>: ~Copyable, Sendable {
  private let instance = AtomicLazyReference<Instance>()

  public init() {}

  /// The object.
  ///
  /// - Parameter make: Makes it. It may run on several threads at the same time.
  /// - Complexity: O(1) after the first use.
  public func callAsFunction(_ make: () -> Instance) -> Instance {
    if let instance = instance.load() { return instance }
    return instance.storeIfNil(make())
  }
}
