#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  /// Writers that take the turn as soon as another thread was faster once.
  static let turns: [Scenario] = [
    turn("20. Two threads update one value in turns") { value in
      [{ value.update { $0 += 1 } }, { value.update { $0 += 10 } }]
    },
    turn("20. Three threads update one value in turns") { value in
      [{ value.update { $0 += 1 } }, { value.update { $0 += 5 } }, { value.update { $0 += 5 } }]
    },
    turn("20. A value is updated in its turn while another thread sets it, and one reads it", from: -1) { value in
      [
        { value.update { $0 = $0 < 0 ? $0 : 11 } },
        { value.set(0) },
        { _ = value.value },
      ]
    } isRight: {
      $0 == 0 || $0 == 11
    },
    Scenario("20, 22. Transactions over two values, in either order, update them in turns") {
      let (first, second) = (Observed(0), Observed(0))
      let tokens = [first.observe { _ in }, second.observe { _ in }]
      return Round(
        threads: [adding(1, to: first, second), adding(10, to: second, first)],
        violation: {
          defer { withExtendedLifetime(tokens) {} }
          return broken(first, 11) ?? broken(second, 11)
        }
      ).takingTurns()
    },
    Scenario("20, 22. A value is updated in turns with a transaction that updates it and another") {
      let (first, second) = (Observed(0), Observed(0))
      let token = first.observe { _ in }
      return Round(
        threads: [adding(1, to: first, second), { first.update { $0 += 10 } }],
        violation: {
          defer { withExtendedLifetime(token) {} }
          return broken(first, 11) ?? broken(second, 1)
        }
      ).takingTurns()
    },
  ]

  private static func turn(
    _ name: String, from initial: Int = 0, _ threads: @escaping @Sendable (Observed<Int>) -> [@Sendable () -> Void],
    isRight: @escaping @Sendable (Int) -> Bool = { $0 == 11 }
  ) -> Scenario {
    Scenario(name) {
      let value = Observed(initial)
      // In a graph, of which the invariants are asked.
      let token = value.observe { _ in }
      return Round(
        threads: threads(value),
        violation: {
          defer { withExtendedLifetime(token) {} }
          return isRight(value.value) ? brokenInvariant(value) : "it is \(value.value)"
        }
      ).takingTurns()
    }
  }
  private static func adding(_ number: Int, to first: Observed<Int>, _ second: Observed<Int>) -> @Sendable () -> Void {
    {
      transaction {
        first.update { $0 += number }
        second.update { $0 += number }
      }
    }
  }
  private static func broken(_ value: Observed<Int>, _ expected: Int) -> String? {
    value.value == expected ? brokenInvariant(value) : "an update was lost: \(value.value)"
  }
  private static func brokenInvariant(_ value: Observed<Int>) -> String? { value.cell.brokenInvariants().first }
}

extension Scenario.Round {
  fileprivate func takingTurns() -> Scenario.Round {
    Seam.optimisticAttempts = 1
    return Scenario.Round(threads: threads) {
      Seam.optimisticAttempts = 8
      return violation()
    }
  }
}
#endif
