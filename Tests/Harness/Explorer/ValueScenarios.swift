#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  /// Values with handlers.
  static let values: [Scenario] = [
    Scenario("17, 18. Two threads set one value") {
      let (value, changes) = (Observed(0), Recorder<[Int]>())
      let token = value.observe { changes([$0.old ?? -1, $0.new]) }
      return Round(
        threads: [{ value.set(1) }, { value.set(2) }],
        violation: {
          withExtendedLifetime(token) {}
          return brokenChain(changes.values, from: 0, to: value.value)
        })
    },
    Scenario("3, 17. observe(.initial) beside set") {
      let (value, changes) = (Observed(0), Recorder<[Int]>())
      let tokens = Locked<[Subscription]>([])
      return Round(
        threads: [
          { for number in 1...2 { value.set(number) } },
          {
            let token = value.observe(.initial) { changes([$0.old ?? -1, $0.new]) }
            tokens.withLock { $0.append(token) }
          },
        ],
        violation: {
          guard let first = changes.values.first else { return "no initial value" }
          return brokenChain(Array(changes.values.dropFirst()), from: first[1], to: 2)
        })
    },
    Scenario("3, 17. observe(.initial) while another handler is notified") {
      let (value, changes) = (Observed(0), Recorder<[Int]>())
      let tokens = Locked([value.observe { _ in }])
      return Round(
        threads: [
          { for number in 1...2 { value.set(number) } },
          {
            let token = value.observe(.initial) { changes([$0.old ?? -1, $0.new]) }
            tokens.withLock { $0.append(token) }
          },
        ],
        violation: {
          guard let first = changes.values.first else { return "no initial value" }
          return brokenChain(Array(changes.values.dropFirst()), from: first[1], to: 2)
        })
    },
    Scenario("20. Two threads update one value") {
      let value = Observed(0)
      return Round(
        threads: [{ value.update { $0 += 1 } }, { value.update { $0 += 10 } }],
        violation: { value.value == 11 ? nil : "an update was lost: \(value.value)" })
    },
    Scenario("20. Two threads update one value that has a handler") {
      let (value, changes) = (Observed(0), Recorder<[Int]>())
      let token = value.observe { changes([$0.old!, $0.new]) }
      return Round(
        threads: [{ value.update { $0 += 1 } }, { value.update { $0 += 10 } }],
        violation: {
          defer { withExtendedLifetime(token) {} }
          return value.value == 11 ? brokenChain(changes.values, from: 0, to: 11) : "an update was lost: \(value.value)"
        })
    },
    Scenario("18, 21. A derived value notifies of the last change of either source") {
      let (left, right, changes) = (Observed(0), Observed(0), Recorder<[Int]>())
      let sum = Derived { left.value + right.value }
      let token = sum.observe { changes([$0.old ?? -1, $0.new]) }
      return Round(
        threads: [{ left.set(1) }, { right.set(10) }],
        violation: {
          withExtendedLifetime(token) {}
          return brokenChain(changes.values, from: 0, to: 11)
        })
    },
    Scenario("22. Transactions of two threads over the same values") {
      let (left, right, sums) = (Observed(0), Observed(0), Recorder<Int>())
      let difference = Derived { left.value - right.value }
      let token = difference.observe { sums($0.new) }
      let write: @Sendable (Int) -> @Sendable () -> Void = { number in
        {
          transaction {
            left.set(number)
            right.set(number)
          }
        }
      }
      return Round(
        threads: [write(1), write(2)],
        violation: {
          withExtendedLifetime(token) {}
          if left.value != right.value { return "half of each: \(left.value), \(right.value)" }
          return sums.values.isEmpty ? nil : "half was seen: \(sums.values)"
        })
    },
    Scenario("15, 18. A derived value is released beside its notification") {
      let (source, received, canaries) = (Observed(0), Recorder<Int>(), Canaries())
      let token = Locked<Subscription?>(
        {
          let canary = canaries.make()
          let twice = Derived {
            canary.touch()
            return source.value * 2
          }
          return twice.observe { received($0.new) }
        }())
      return Round(
        threads: [
          { for number in 1...2 { source.set(number) } },
          { token.current = nil },
        ],
        violation: {
          if ![[], [2], [4], [2, 4]].contains(received.values) { return "received \(received.values)" }
          return canaries.alive == 0 ? nil : "its closure is kept"
        })
    },
  ]

  /// Values that are read.
  static let graphs: [Scenario] = [
    Scenario("10. A value of two words is read beside set") {
      let (value, seen) = (Observed(SIMD2(0, 0)), Recorder<SIMD2<Int>>())
      return Round(
        threads: [
          {
            value.set(SIMD2(1, 1))
            value.set(SIMD2(2, 2))
          }, { for _ in 0..<2 { seen(value.value) } },
        ],
        violation: { seen.values.first { $0[0] != $0[1] }.map { "torn: \($0)" } })
    },
    Scenario("19. A thread that has seen the new value of a source sees nothing older that depends on it") {
      let (source, seen) = (Observed(1), Recorder<[Int]>())
      let twice = Derived { source.value * 2 }
      _ = twice.value
      return Round(
        threads: [{ source.set(2) }, { seen([source.value, twice.value]) }],
        violation: { seen.values.contains([2, 2]) ? "the derived value was stale" : nil })
    },
    Scenario("22. What a transaction wrote appears together to a thread that reads one value after the other") {
      let (left, right) = (Observed(0), Observed(0))
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          {
            transaction {
              left.set(1)
              right.set(1)
            }
          }, { seen([left.value, right.value]) }, { seen([right.value, left.value]) },
        ],
        violation: { seen.values.contains([1, 0]) ? "half of it was seen" : nil })
    },
    Scenario("20, 22. Transactions of two threads update one value") {
      let value = Observed(0)
      let add: @Sendable (Int) -> @Sendable () -> Void = { number in
        { transaction { value.update { $0 += number } } }
      }
      return Round(
        threads: [add(1), add(10)],
        violation: { value.value == 11 ? nil : "an update was lost: \(value.value)" })
    },
    Scenario("21, 22. A derived value is read beside a transaction") {
      let (left, right) = (Observed(0), Observed(0))
      let pair = Derived { [left.value, right.value] }
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          {
            transaction {
              left.set(1)
              right.set(1)
            }
          },
          { for _ in 0..<2 { seen(pair.value) } },
        ],
        violation: {
          if let mixture = seen.values.first(where: { $0[0] != $0[1] }) { return "a mixture: \(mixture)" }
          if seen.values == [[1, 1], [0, 0]] { return "went back" }
          return pair.value == [1, 1] ? nil : "stale: \(pair.value)"
        })
    },
    Scenario("21. A diamond is read by two threads beside set") {
      let source = Observed(1)
      let (twice, thrice) = (Derived { source.value * 2 }, Derived { source.value * 3 })
      let sum = Derived { twice.value + thrice.value }
      let seen = Recorder<Int>()
      let read: @Sendable () -> Void = { seen(sum.value) }
      return Round(
        threads: [
          {
            source.set(2)
            source.set(3)
          }, read, read,
        ],
        violation: {
          if let mixture = seen.values.first(where: { ![5, 10, 15].contains($0) }) { return "a mixture: \(mixture)" }
          return sum.value == 15 ? nil : "stale: \(sum.value)"
        })
    },
    Scenario("21. What a computation has read is replaced meanwhile") {
      let (left, right) = (Observed([0]), Observed([0]))
      let pair = Derived { left.value + right.value }
      let seen = Recorder<[Int]>()
      return Round(
        threads: [
          { seen(pair.value) },
          {
            for number in 1...2 {
              transaction {
                left.set([number])
                right.set([number])
              }
            }
          },
        ],
        violation: {
          if let mixture = seen.values.first(where: { $0[0] != $0[1] }) { return "a mixture: \(mixture)" }
          return pair.value == [2, 2] ? nil : "stale: \(pair.value)"
        })
    },
    Scenario("21. Dynamic dependencies change beside set") {
      let (choice, left, right) = (Observed(true), Observed(1), Observed(2))
      let chosen = Derived { choice.value ? left.value : right.value }
      let received = Recorder<Int>()
      let token = chosen.observe { received($0.new) }
      return Round(
        threads: [
          { choice.set(false) },
          {
            left.set(10)
            right.set(20)
          },
        ],
        violation: {
          withExtendedLifetime(token) {}
          if chosen.value != 20 { return "stale: \(chosen.value)" }
          return received.values.last == 20 ? nil : "the last change was not notified: \(received.values)"
        })
    },
    Scenario("23. Two threads read two values that read each other") {
      let values = Locked<[Derived<Int>]>([])
      let isOpen = Observed(true)
      let one = Derived { isOpen.value ? 1 : (values.current.last?.value ?? 0) + 1 }
      let other = Derived { one.value + 1 }
      values.withLock { $0 = [one, other] }
      _ = other.value
      isOpen.set(false)
      return Round(
        threads: [{ _ = one.value }, { _ = other.value }, { isOpen.set(true) }],
        violation: {
          let found = [one.value, other.value]
          values.withLock { $0 = [] }
          return found == [1, 2] ? nil : "wrong after the cycle has opened: \(found)"
        })
    },
    Scenario("15. A derived value is dropped by one thread and read by another") {
      let source = Observed(1)
      let twice = Locked<Derived<Int>?>(Derived { source.value * 2 })
      let seen = Recorder<Int>()
      return Round(
        threads: [
          { if let twice = twice.current { seen(twice.value) } },
          { twice.current = nil },
          { source.set(2) },
        ],
        violation: { seen.values.allSatisfy { $0 == 2 || $0 == 4 } ? nil : "read \(seen.values)" })
    },
  ]

  /// Each change begins where the one before ended, and the last ends at the value that there is.
  private static func brokenChain(_ changes: [[Int]], from start: Int, to end: Int) -> String? {
    var last = start
    for change in changes {
      if change[0] != last { return "a broken chain from \(start): \(changes)" }
      last = change[1]
    }
    return last == end ? nil : "the last change, to \(end), was not notified: \(changes)"
  }
}
#endif
