import Tidings
import TidingsTesting

/// A source that a test writes and ends, and the ways in which a value is made of one.
final class EndingSource: Sendable {
  enum Derivation: CaseIterable {
    case closure, map, member, chain, combine, several, diamond, derivedInside, hold, reduce, holdOfMerge
    fileprivate var isOfEvent: Bool { [.hold, .reduce, .holdOfMerge].contains(self) }
  }
  /// How the source ends, and where.
  enum Ending: CaseIterable {
    case released, releasedElsewhere, releasedInTransaction, releasedInHandler, releasedWhileStale, finished
  }
  /// Each derivation with each ending that its source has.
  static let all: [(Derivation, Ending)] = Derivation.allCases.flatMap { derivation in
    Ending.allCases.filter { derivation.isOfEvent || $0 != .finished }.map { (derivation, $0) }
  }

  private let observed: Locked<Observed<Int>?>
  private let event: Locked<Event<Int>?>

  init(for derivation: Derivation) {
    observed = Locked(derivation.isOfEvent ? nil : Observed(0))
    event = Locked(derivation.isOfEvent ? Event() : nil)
  }

  /// The source's value, unchanged, as a value that does not retain the source.
  func value(_ derivation: Derivation) -> ReadOnly<Int> {
    if let event = event.current {
      switch derivation {
      case .reduce: return event.reduce(into: 0) { $0 = $1 }
      case .holdOfMerge: return event.merge(event.map { $0 }.filter { _ in false }).hold(0)
      default: return event.hold(0)
      }
    }
    let source = observed.current!
    let reader = source.reader
    switch derivation {
    case .map: return ReadOnly(source.map { $0 })
    case .member: return ReadOnly(source.magnitude.map { Int($0) })
    case .chain:
      let copies = [source.map { $0 }]
      return ReadOnly(source.map { _ in 0 }.chain { copies[$0] })
    case .combine: return ReadOnly(combine(source, source.map { $0 }).map { $0.0 })
    case .several: return ReadOnly(source.map { $0 + 1 }.map { $0 + 1 }.map { $0 - 2 })
    case .diamond:
      let (left, right) = (source.map { $0 }, source.map { $0 })
      return ReadOnly(Derived { min(left.value, right.value) })
    case .derivedInside: return ReadOnly(Derived { Derived { reader.value }.value })
    default: return ReadOnly(Derived { reader.value })
    }
  }

  func write(_ value: Int) {
    observed.current?.set(value)
    event.current?.emit(value)
  }

  /// Writes the last value and ends.
  func end(_ ending: Ending, with last: Int, of value: ReadOnly<Int>) {
    switch ending {
    case .released:
      write(last)
      release()
    case .finished:
      write(last)
      event.current?.finish()
    case .releasedElsewhere:
      write(last)
      Threads.elsewhere { self.release() }
    case .releasedInTransaction:
      transaction {
        write(last)
        release()
      }
    case .releasedInHandler:
      let token = value.observe { _ in self.release() }
      write(last)
      token.cancel()
    case .releasedWhileStale:
      // A handler sets the source, so derived values are notified after the handlers of all sources.
      let trigger = Observed(false)
      let token = trigger.observe { _ in
        self.write(last)
        self.release()
      }
      trigger.set(true)
      token.cancel()
    }
  }
  private func release() {
    observed.current = nil
    event.current = nil
  }
}
