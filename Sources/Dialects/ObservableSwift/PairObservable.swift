/// Two observables as one: it changes when either does.
///
/// ```swift
/// let name = first & last
/// name.afterChange += { print($0.newValue.0, $0.newValue.1) }
/// last <- "Bolton"
/// ```
///
/// - **Order**: to each of the two, the pair is one handler, added when it was made.
/// - **Thread**: that of the two, which must be the same. Not `Sendable`.
/// - **Re-entrancy**: a handler may do anything with the pair.
/// - **Lifetime**: the pair lives as long as it is retained. It keeps neither of the two, except a pair or a proxy, which
///   live by being held: so `a & b & c` is one to keep.
/// - **Cost**: a weak load and a call for each of the two events of a change.
///
/// From the original. ``value`` is made of the changes that were received.
public class PairObservable<O1: AnyObservable, O2: AnyObservable>: OwnableObservable {
  /// The type of the observed value.
  public typealias ValueType = (O1.ValueType, O2.ValueType)

  /// Notified of each change of either before it is made.
  public final let beforeChange = EventReference<ValueChange<ValueType>>()
  /// Notified of each change of either when ``value`` is the new one.
  public final let afterChange = EventReference<ValueChange<ValueType>>(event: .inTurn)

  private final var first: O1.ValueType
  private final var second: O2.ValueType
  private final var handlers: (HandlerReference<O1.ValueType>, HandlerReference<O2.ValueType>)?
  private final let bases: (Any?, Any?)

  /// A pair of two observables.
  public init(_ o1: O1, _ o2: O2) {
    first = o1.value
    second = o2.value
    bases = (held(o1), held(o2))
    handlers = (
      HandlerReference(
        o1, before: { [weak self] in self?.firstWillChange($0) }, after: { [weak self] in self?.firstDidChange($0) }),
      HandlerReference(
        o2, before: { [weak self] in self?.secondWillChange($0) }, after: { [weak self] in self?.secondDidChange($0) })
    )
  }
  deinit {
    handlers?.0.close()
    handlers?.1.close()
  }

  /// Both values.
  public var value: ValueType { (first, second) }

  private final func firstWillChange(_ change: ValueChange<O1.ValueType>) {
    beforeChange.notify(ValueChange((change.oldValue, second), (change.newValue, second)))
  }
  private final func firstDidChange(_ change: ValueChange<O1.ValueType>) {
    let old = first
    first = change.newValue
    afterChange.notify(ValueChange((change.oldValue, second), (change.newValue, second)))
    withExtendedLifetime(old) {}
  }
  private final func secondWillChange(_ change: ValueChange<O2.ValueType>) {
    beforeChange.notify(ValueChange((first, change.oldValue), (first, change.newValue)))
  }
  private final func secondDidChange(_ change: ValueChange<O2.ValueType>) {
    let old = second
    second = change.newValue
    afterChange.notify(ValueChange((first, change.oldValue), (first, change.newValue)))
    withExtendedLifetime(old) {}
  }
}

/// Two observables as one: ``PairObservable``.
public func & <O1: AnyObservable, O2: AnyObservable>(o1: O1, o2: O2) -> PairObservable<O1, O2> {
  PairObservable(o1, o2)
}
