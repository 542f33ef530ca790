#if TIDINGS_EXPLORED
@testable import Tidings
@testable import TidingsTesting

extension Scenario {
  /// Rings of values that each read the next while their flag is set, and else their source.
  static let cycles: [Scenario] = [
    Scenario("23. A ring of two is closed and opened beside two threads that read it") {
      let ring = Ring(of: 2)
      return Round(
        threads: [
          { ring.read(0, 1, 0) }, { ring.read(1, 0, 1) },
          {
            ring.flags[0].set(true)
            ring.flags[1].set(true)
            ring.flags[0].set(false)
          },
        ], violation: { ring.problem() })
    },
    Scenario("23. A closed ring of three is opened beside two threads that read it") {
      let ring = Ring(of: 3)
      for flag in ring.flags { flag.set(true) }
      return Round(
        threads: [{ ring.read(0, 2, 1) }, { ring.read(1, 0) }, { ring.flags[1].set(false) }],
        violation: { ring.problem() })
    },
    Scenario("23. A ring of three is opened and closed and opened beside two threads that read it") {
      let ring = Ring(of: 3)
      for flag in ring.flags { flag.set(true) }
      return Round(
        threads: [
          { ring.read(0, 2) }, { ring.read(1, 0) },
          {
            ring.flags[1].set(false)
            ring.flags[1].set(true)
            ring.sources[0].set(5)
            ring.flags[2].set(false)
          },
        ],
        violation: { ring.problem() })
    },
    Scenario("23. Two rings with a common value are closed and opened, and the common value is as before") {
      let (opens, closes) = (Observed(false), Observed(false))
      let (first, last) = (Locked<Derived<Int>?>(nil), Locked<Derived<Int>?>(nil))
      let middle = Derived { closes.value ? last.current!.value + first.current!.value : 10 }
      first.current = Derived { opens.value ? middle.value + 1 : 0 }
      last.current = Derived { middle.value + 5 }
      _ = (first.current!.value, last.current!.value)
      opens.set(true)
      return Round(
        threads: [
          {
            closes.set(true)
            closes.set(false)
          }, { _ = (first.current!.value, middle.value) },
        ],
        violation: {
          let values = [first.current!.value, middle.value, last.current!.value]
          (first.current, last.current) = (nil, nil)
          return values == [11, 10, 15] ? nil : "\(values), not [11, 10, 15]"
        })
    },
    Scenario("23. A ring whose values are notified is opened beside two threads that read it") {
      let ring = Ring(of: 3, watched: 2)
      for flag in ring.flags { flag.set(true) }
      return Round(
        threads: [{ ring.read(0, 2) }, { ring.read(1, 0) }, { ring.flags[1].set(false) }],
        violation: { ring.problem() })
    },
  ]
}

private final class Ring: Sendable {
  let sources: [Observed<Int>]
  let flags: [Observed<Bool>]
  private let values = Locked<[Derived<Int>]>([])
  private let notified: [Recorder<Int>]
  private let tokens = Locked<[Subscription]>([])

  init(of count: Int, watched: Int = 0) {
    let (sources, flags) = ((0..<count).map { Observed($0 * 10) }, (0..<count).map { _ in Observed(false) })
    let (values, notified) = (values, (0..<watched).map { _ in Recorder<Int>() })
    (self.sources, self.flags, self.notified) = (sources, flags, notified)
    values.current = (0..<count).map { index in
      Derived("link \(index)") {
        guard flags[index].value, let next = values.withLock({ $0.isEmpty ? nil : $0[(index + 1) % count] }) else {
          return sources[index].value
        }
        return next.value + 1
      }
    }
    for value in values.current { _ = value.value }
    tokens.current = zip(values.current, notified).map { value, notified in value.observe { notified($0.new) } }
  }
  func read(_ indices: Int...) { for index in indices { _ = values.withLock { $0[index] }.value } }

  func problem() -> String? {
    let count = flags.count
    defer {
      tokens.current = []
      values.current = []
    }
    for index in 0..<count {
      let end = (index..<index + count).first { !flags[$0 % count].value }!
      let right = sources[end % count].value + end - index
      let value = values.withLock { $0[index] }.value
      if value != right { return "link \(index) is \(value), not \(right)" }
      if index < notified.count, let last = notified[index].values.last, last != right {
        return "the handlers of link \(index) were notified of \(last) last, not of \(right)"
      }
    }
    return nil
  }
}
#endif
