public import Tidings

/// Keeps two values equal: each change of one is written to the other.
///
/// ```swift
/// let bond = bind(volume, slider)
/// ```
///
/// The second value takes the current value of the first; in a computation, when the outermost computation is over. From then on
/// each change of one is written to the other, once for
/// each cause. The written value is not written back, but if a handler then sets it to something else, that is a new cause.
/// Several writes in one transaction are one change; if the transaction writes both values, the one that was written first
/// counts. Setting a value to an equal one is no change.
///
/// If the bond is made outside every actor, a change is written on the thread that makes it, before `set` returns, or by
/// another thread that is writing one at that moment. If it is made on an actor (`isolation`), a change is written there: in
/// place, when the change is made there. Threads may write both values simultaneously: afterwards the two agree on one of
/// the last values written. In between they may differ briefly.
///
/// - Parameters:
///   - first: The value that the other takes at the start.
///   - second: The other value.
///   - isolation: The caller's actor. Filled in by the compiler.
/// - Returns: The bond; dropping it ends the connection. It retains neither value, and ends with either.
public func bind<Value: Sendable & Equatable>(
  _ first: Observed<Value>, _ second: Observed<Value>, isolation: isolated (any Actor)? = #isolation
) -> Bond { bind(first, second, via: Conversion(to: { $0 }, from: { $0 }), isolation: isolation) }

/// Keeps two values of different types in agreement, through a conversion.
///
/// ```swift
/// let bond = bind(price, text, via: Conversion(format))
/// let subscription = bond.error.observe { change in print(change.new ?? "all is well") }
/// ```
///
/// The conversion need not be exact. Writing one value writes the other once, whatever the conversion back would give. If
/// the conversion throws, also at the start, the other value is unchanged, ``Bond/error`` has the reason, and the next
/// change of either value is written again.
///
/// - Parameters:
///   - first: The value that is converted at the start.
///   - second: The other value.
///   - conversion: Converts in both directions.
///   - isolation: The caller's actor. Filled in by the compiler.
/// - Returns: The bond; dropping it ends the connection. It retains neither value, and ends with either.
public func bind<A: Sendable & Equatable, B: Sendable & Equatable>(
  _ first: Observed<A>, _ second: Observed<B>, via conversion: Conversion<A, B>,
  isolation: isolated (any Actor)? = #isolation
) -> Bond {
  let turned = Event<Side>("bind")
  let agreement = Agreement(first, second, conversion)
  func carry(on home: some Actor) -> Subscription {
    turned.observe(with: home) { home, side in agreement.carry(from: side, isolation: home) }
  }
  func follow<Value>(_ source: Observed<Value>, _ side: Side) -> Subscription {
    func follow(on home: some Actor) -> Subscription {
      source.observe(with: home) { home, _ in turned.emit(side, isolation: home) }
    }
    return isolation.map { follow(on: $0) } ?? source.observe { _ in turned.emit(side, isolation: nil) }
  }
  let carrying =
    isolation.map { carry(on: $0) } ?? turned.observe { side in agreement.carry(from: side, isolation: nil) }
  let (ofFirst, ofSecond) = (follow(first, .first), follow(second, .second))
  // One after the other, so that the first wins also while other threads write.
  ofSecond.pause()
  afterComputation(isolation: isolation) { here in
    turned.emit(.first, isolation: here)
    ofSecond.resume()
    // Catches a change of the second that was made in the pause. After a failed conversion there is no agreement yet, and this
    // would overwrite the first, which has to be unchanged then.
    if agreement.error.value == nil { turned.emit(.second, isolation: here) }
  }
  return Bond([ofFirst, ofSecond, carrying], agreement.error.readOnly)
}

enum Side: Sendable { case first, second }

/// The pair of values that the two sides have agreed on.
///
/// A notification only says which side to look at. What counts is whether that side still has the agreed value. So a change
/// that was written to the other side is not written back, a notification that comes too late finds its change done, and
/// after the last one the two sides agree. A serial event delivers the notifications one at a time and in causal order, so
/// that cycles of other handlers through a bond increase the causal depth like any other, and are rejected.
private final class Agreement<A: Sendable & Equatable, B: Sendable & Equatable>: Sendable {
  /// Nil: the value of that side, whatever it is, has to be written to the other.
  private let agreed = Observed<(first: A?, second: B?)>((nil, nil), label: "bind.agreed")
  let error = Observed<(any Error)?>(nil, label: "bind.error", changes: .by(saysTheSame))
  private let conversion: Conversion<A, B>
  private let sides: @Sendable () -> (Observed<A>, Observed<B>)?

  init(_ first: Observed<A>, _ second: Observed<B>, _ conversion: Conversion<A, B>) {
    self.conversion = conversion
    sides = { [weak first, weak second] in
      if let first, let second { (first, second) } else { nil }
    }
  }

  func carry(from side: Side, isolation: isolated (any Actor)?) {
    guard let (first, second) = sides() else { return }
    let agreed = agreed.value
    switch side {
    case .first:
      let value = first.value
      if let known = agreed.first, areSame(known, value) { return }
      hand(value, to: second, conversion.to, isolation: isolation) { ($0, $1) }
    case .second:
      let value = second.value
      if let known = agreed.second, areSame(known, value) { return }
      hand(value, to: first, conversion.from, isolation: isolation) { ($1, $0) }
    }
  }

  private func hand<Given: Sendable, Made: Sendable & Equatable>(
    _ value: Given, to other: Observed<Made>, _ convert: (Given) throws -> Made, isolation: isolated (any Actor)?,
    _ pair: (Given, Made?) -> (A?, B?)
  ) {
    do {
      let made = try convert(value)
      transaction {
        agreed.set(pair(value, made))
        error.set(nil)
        if !areSame(other.value, made) { other.set(made) }
      }
    } catch {
      transaction {
        agreed.set(pair(value, nil))
        self.error.set(error)
      }
    }
  }
}
