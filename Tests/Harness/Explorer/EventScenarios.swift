#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  static let all =
    events + actors + permits + streams + values + turns + graphs + merging + replicas + finality + cycles

  static let policies = [DeliveryPolicy.serial, .immediate]

  static let events: [Scenario] =
    policies.map { policy in
      Scenario("6, 15. \(policy): cancel beside emit") {
        let (event, isCancelled, late, canaries) = (Event<Int>(policy: policy), Locked(false), Locked(0), Canaries())
        let token = {
          let canary = canaries.make()
          return event.observe { _ in
            canary.touch()
            if isCancelled.current { late.withLock { $0 += 1 } }
          }
        }()
        return Round(
          threads: [
            { for value in 1...3 { event.emit(value) } },
            {
              token.cancel()
              isCancelled.current = true
            },
          ],
          violation: {
            if late.current > 1 { return "\(late.current) calls began after the cancel" }
            return canaries.alive == 0 ? nil : "the captures are kept"
          })
      }
    }
    + policies.map { policy in
      Scenario("16, 25. \(policy): the event is finished beside emit") {
        let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
        let token = event.observe { received($0) }
        return Round(
          threads: [
            { for value in 1...2 { event.emit(value) } },
            { event.finish() },
          ],
          violation: {
            token.isActive
              ? "the subscription is active"
              : [[], [1], [1, 2]].contains(received.values) ? nil : "received \(received.values)"
          })
      }
    }
    + policies.map { policy in
      Scenario("6, 15. \(policy): two handlers are cancelled beside emit") {
        let (event, canaries) = (Event<Int>(policy: policy), Canaries())
        let tokens = (0..<2).map { _ in
          let canary = canaries.make()
          return event.observe { _ in canary.touch() }
        }
        return Round(
          threads: [{ event.emit(1) }, { tokens[0].cancel() }, { tokens[1].cancel() }],
          violation: { canaries.alive == 0 ? nil : "the captures are kept" })
      }
    }
    + policies.map { policy in
      Scenario("10. \(policy): two threads pause and resume") {
        let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
        let token = event.observe { received($0) }
        let contend: @Sendable () -> Void = {
          token.pause()
          token.resume()
        }
        return Round(
          threads: [contend, contend],
          violation: {
            event.emit(1)
            return received.values == [1] ? nil : "received \(received.values) after the last resume"
          })
      }
    }
    + policies.map { policy in
      Scenario("8. \(policy): once beside two emits") {
        let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
        let token = event.once { received($0) }
        return Round(
          threads: [{ event.emit(1) }, { event.emit(2) }],
          violation: {
            withExtendedLifetime(token) {}
            return received.values.count == 1 ? nil : "called with \(received.values)"
          })
      }
    }
    + policies.map { policy in
      Scenario("14. \(policy): the owner is released beside emit") {
        let (event, received) = (Event<Int>(policy: policy), Recorder<Int>())
        let owner = Locked<Owner?>(Owner())
        event.observe(with: owner.current!) { _, value in received(value) }
        return Round(
          threads: [
            { for value in 1...2 { event.emit(value) } },
            { owner.current = nil },
          ],
          violation: {
            event.emit(3)
            return received.values.contains(3) ? "called for an owner that was released" : nil
          })
      }
    }
    + policies.map { policy in
      Scenario("1, 3. \(policy): observe beside emit and cancel") {
        let (event, lasting) = (Event<Int>(policy: policy), Recorder<Int>())
        let first = event.observe { _ in }
        let token = event.observe { lasting($0) }
        let tokens = Locked<[Subscription]>([])
        let added = Recorder<Int>()
        return Round(
          threads: [
            { for value in 1...2 { event.emit(value) } },
            {
              let new = event.observe { added($0) }
              tokens.withLock { $0.append(new) }
              first.cancel()
              event.emit(10)
            },
          ],
          violation: {
            withExtendedLifetime(token) {}
            if lasting.values.sorted() != [1, 2, 10] { return "the lasting handler received \(lasting.values)" }
            if lasting.values.filter({ $0 < 10 }) != [1, 2] { return "out of order: \(lasting.values)" }
            if !added.values.contains(10) { return "the added handler received \(added.values)" }
            if policy == .serial, !lasting.values.ends(with: added.values) {
              return "in different orders: \(lasting.values), \(added.values)"
            }
            return nil
          })
      }
    } + [
      Scenario("3. The last handler is cancelled and another observes beside emit") {
        let (event, received, added) = (Event<Int>(), Recorder<Int>(), Recorder<Int>())
        let tokens = Locked([event.observe { received($0) }])
        let (last, isLate) = (event.observe { _ in }, Locked(false))
        return Round(
          threads: [
            { event.emit(1) },
            {
              last.cancel()
              isLate.withLock { $0 = !received.values.isEmpty }
              let new = event.observe { added($0) }
              tokens.withLock { $0.append(new) }
            },
          ],
          violation: {
            isLate.current && !added.values.isEmpty ? "received what was emitted before: \(added.values)" : nil
          })
      },
      Scenario("2, 4. Two threads emit, and a handler too") {
        let (event, one, other) = (Event<Int>(), Recorder<Int>(), Recorder<Int>())
        let tokens = [
          event.observe {
            one($0)
            if $0 == 1 { event.emit(100) }
          }, event.observe { other($0) },
        ]
        return Round(
          threads: [{ event.emit(1) }, { event.emit(2) }],
          violation: {
            withExtendedLifetime(tokens) {}
            if one.values != other.values { return "two orders: \(one.values), \(other.values)" }
            return one.values.sorted() == [1, 2, 100] ? nil : "received \(one.values)"
          })
      },
      Scenario("10. merge: a source is paused beside emit, and passes on nothing of the pause") {
        let (left, right, received) = (Event<Int>(), Event<Int>(), Recorder<Int>())
        let token = left.merge(right).observe { received($0) }
        return Round(
          threads: [
            { left.emit(1) }, { right.emit(2) },
            {
              token.pause()
              token.resume()
            },
          ],
          violation: {
            left.emit(3)
            right.emit(4)
            return received.values.suffix(2) == [3, 4] ? nil : "received \(received.values)"
          })
      },
    ]

}

extension Array where Element: Equatable {
  fileprivate func ends(with other: [Element]) -> Bool { suffix(other.count) == other[...] }
}
#endif
