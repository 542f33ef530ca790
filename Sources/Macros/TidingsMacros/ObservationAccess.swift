public import Tidings
import TidingsObservation

/// Reads a property so that Swift's observation tracks it. The macros store one for each property of a class that says
/// `Observable`.
///
/// Before the first read it is one empty word. From then on an `ObservableValue` notifies on the actor of that read: the
/// actor of the class.
public struct ObservationAccess<Value: Sendable>: ~Copyable, Sendable {
  private let observable = LazyReference<ObservableValue<Value>>()

  public init() {}

  /// The value of `property`; its next change notifies the code that tracks this read.
  ///
  /// - Parameters:
  ///   - property: The property, always the same one.
  ///   - isolation: The caller's actor. Filled in by the compiler; do not pass it.
  /// - Complexity: O(1).
  public func value(of property: Observed<Value>, isolation: isolated (any Actor)? = #isolation) -> Value {
    observable { ObservableValue(property, isolation: isolation) }.value
  }
}
