public import Observation
public import Tidings

/// A value of this library as Swift's observation sees it: for SwiftUI, `withObservationTracking` and `Observations`.
///
/// ```swift
/// @MainActor final class PriceModel {
///   let price: ObservableValue<Double>
///   init(_ price: Observed<Double>) { self.price = ObservableValue(price) }
/// }
///
/// withObservationTracking {
///   show(model.price.value)
/// } onChange: {
///   print("the price is about to be shown again")
/// }
/// ```
///
/// Reading `value` reads the source; code that tracks the reading is notified at each change of the source, when it has been
/// made. To write, set the source.
///
/// Notified on the actor on which this was made, in the order of the changes: in place when the source was set there, else
/// through a queue. Code that reads and tracks on that actor too misses no last value, whichever threads write. Made without
/// an actor it notifies on the thread that writes; then, as with every `@Observable`, a change that another thread makes
/// between a reading and the end of its tracking closure is not noticed.
///
/// It keeps its source, as a `ReadOnly` does; the source does not keep it.
public final class ObservableValue<Value: Sendable>: Observable, Sendable {
  private let source: any ValueSource<Value>
  private let place: Place
  private let subscription: Subscription

  /// - Parameters:
  ///   - source: An `Observed`, a `Derived` or their like.
  ///   - isolation: The actor on which observers are notified: the caller's. Filled in by the compiler; do not pass it.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ source: some ValueSource<Value>, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let place = Place()
    self.source = source
    self.place = place
    func follow(on home: some Actor) -> Subscription {
      source.observe(with: home, { _, _ in place.notifyTracking() }, file: file, line: line)
    }
    subscription =
      if let isolation { follow(on: isolation) } else {
        source.observe({ _ in place.notifyTracking() }, file: file, line: line)
      }
  }
  // The subscription to an actor would outlive its token.
  deinit { subscription.cancel() }

  /// The value now; read in a tracking closure, its changes are noticed.
  public var value: Value {
    place.access()
    return source.value
  }

  /// The object that observation tracks instead of the value. The handler retains only this object.
  private final class Place: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private var value: Void { () }

    func access() { registrar.access(self, keyPath: \.value) }
    func notifyTracking() { registrar.withMutation(of: self, keyPath: \.value) {} }
  }
}

extension ObservableValue: CustomStringConvertible, CustomReflectable {
  /// The type and the source, of which nothing is read.
  public var description: String { "ObservableValue of \(source)" }
  public var customMirror: Mirror { Mirror(self, children: ["source": source], displayStyle: .class) }
}
