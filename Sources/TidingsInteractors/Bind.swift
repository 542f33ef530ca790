public import Tidings

/// Keeps two values alike: each change of one is made to the other.
///
/// ```swift
/// let bond = bind(volume, slider)
/// ```
///
/// The second takes the value of the first, now. From then on whichever is changed, the other follows, once for each cause:
/// what it was made to be is not carried back, though a handler that then sets it to something else is a cause again. Several
/// writes in one transaction are one; if it writes both, the one that was written first counts. Setting a value to what it is
/// already is no change.
///
/// Bound outside every actor, a change is carried over on the thread that makes it, before `set` returns; if another
/// thread is just carrying one over, that one does it. Bound on an actor (`isolation`, which the compiler finds), it
/// is carried over there: in place, when the change is made there. Threads may write both at once: when they are done the two
/// agree, on one of the last values written. In between they may differ for a moment, as they are two.
///
/// Keep what is returned: dropping it ends the connection. It keeps neither value, and ends with either.
public func bind<Value: Sendable & Equatable>(
  _ first: Observed<Value>, _ second: Observed<Value>, isolation: isolated (any Actor)? = #isolation
) -> Bond { bind(first, second, via: Conversion(to: { $0 }, from: { $0 }), isolation: isolation) }

/// Keeps two values of different kinds in agreement.
///
/// ```swift
/// let bond = bind(price, text, via: Conversion(format))
/// let subscription = bond.error.observe { change in print(change.new ?? "all is well") }
/// ```
///
/// The conversion need not be exact. Writing one writes the other once, whatever comes of converting that back. When it
/// throws, also at the start, the other stays as it is, ``Bond/error`` says why, and the next setting of either is carried
/// over again.
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
  // One after the other, so that the first wins also while others write.
  let ofFirst = follow(first, .first)
  turned.emit(.first)
  let ofSecond = follow(second, .second)
  // Unless there is nothing to have changed meanwhile: the first that cannot be converted stays as it is, too.
  if agreement.error.value == nil { turned.emit(.second) }
  return Bond([ofFirst, ofSecond, carrying], agreement.error.readOnly)
}

enum Side: Sendable { case first, second }

/// What two values have agreed on.
///
/// What is told only says which side to look at; what counts is whether that side is still what was agreed. So a change
/// that was carried over is not carried back, one that came too late finds itself done, and after the last telling the two
/// agree. A serial event calls this one telling at a time and in order of cause, so that circles of other handlers
/// through here grow as deep as any other, and are stopped.
private final class Agreement<A: Sendable & Equatable, B: Sendable & Equatable>: Sendable {
  /// Nil: whatever that side is, it is to be carried over.
  private let agreed = Observed<(first: A?, second: B?)>((nil, nil))
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
      if let known = agreed.first, isSame(known, value) { return }
      hand(value, to: second, conversion.to, isolation: isolation) { ($0, $1) }
    case .second:
      let value = second.value
      if let known = agreed.second, isSame(known, value) { return }
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
        if !isSame(other.value, made) { other.set(made) }
      }
    } catch {
      transaction {
        agreed.set(pair(value, nil))
        self.error.set(error)
      }
    }
  }
}

/// What is not even equal to itself, as NaN, is never different either: it would go back and forth for ever.
private func isSame<Value: Equatable>(_ left: Value, _ right: Value) -> Bool {
  left == right || (left != left && right != right)
}
