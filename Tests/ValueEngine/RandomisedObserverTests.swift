import Synchronization
import Testing

@testable import ValueEngine

/// Observed diamonds that several threads write, with handlers that write, add and cancel handlers. `TIDINGS_SEED` replays the
/// choices of a run, `TIDINGS_ROUNDS` makes it longer.
extension ValueEngineTests {
  @Suite struct RandomisedObserverTests {
    @Test("Each handler receives an unbroken chain without a mixture, and the last value", arguments: [2, 4])
    func threads(count: Int) async {
      let seed = SeededRandom.seed
      let (findings, live) = (Findings(), Counter())
      for round in 0..<SeededRandom.rounds(6) {
        do {
          let world = ObservedWorld("seed \(seed) round \(round)", findings, live)
          await together(count) { index in
            var random = SeededRandom(seed &+ UInt64(round * 8 + index))
            var observers: [AnyObserver] = []
            for _ in 0..<400 { world.act(index, &random, &observers) }
            for observer in observers { observer.end() }
          }
          world.check()
        }
        await together(1) { _ in collect(until: { live.value <= 0 }) }
        findings.check(live.value == 0, "seed \(seed) round \(round): \(live.value) values are left")
      }
      #expect(findings.all == [])
    }
  }
}

private class AnyObserver: @unchecked Sendable {  // its subclass is
  func end() {}
}
/// A handler that checks what it receives. Its calls do not overlap, which it checks as well.
private final class Observer<Value: Equatable & Sendable>: AnyObserver, @unchecked Sendable {
  private(set) var last: Value?
  private var token: ValueSubscription?
  private let isRunning = Atomic<Bool>(false)
  private let (name, findings): (String, Findings)
  private let then: @Sendable (Value) -> Void

  /// - Parameter start: The value when it is added, if it is known.
  init(_ name: String, _ findings: Findings, start: Value? = nil, then: @escaping @Sendable (Value) -> Void = { _ in })
  {
    (self.name, self.findings, self.then) = (name, findings, then)
    last = start
  }
  func begin(_ observe: (@escaping @Sendable (Value?, Value) -> Void) -> ValueSubscription) {
    token = observe { [self] old, new in
      let overlaps = isRunning.exchange(true, ordering: .acquiringAndReleasing)
      findings.check(!overlaps, "\(name): two calls at one time")
      if let last { findings.check(old == last, "\(name): \(old.map { "\($0)" } ?? "-") to \(new), after \(last)") }
      last = new
      then(new)
      isRunning.store(false, ordering: .releasing)
    }
  }
  override func end() {
    token?.cancel()
    token = nil
  }
}

/// Amounts that commits move between sources, and what is derived from them. Constant once threads begin.
private final class ObservedWorld: @unchecked Sendable {
  private let amounts = (0..<6).map { _ in Source(100) }
  private let pairs: [Computed<Int>]
  private let total: Computed<Int>
  private let rotated: Computed<Int>
  private let boxes: Computed<Counted>
  /// Each has the last value of a pair, by a handler that writes.
  private let mirrors = (0..<3).map { _ in Source(200) }
  /// Above mirrors and amounts: once all handlers have returned, each difference is 0.
  private let differences: [Computed<Int>]
  private let own = (0..<4).map { _ in Source(0) }
  private let owns: Computed<[Int]>
  private let calls = Counter()
  private let (name, findings): (String, Findings)
  private var lasting: [() -> Bool] = []
  private var observers: [AnyObserver] = []

  init(_ name: String, _ findings: Findings, _ live: Counter) {
    (self.name, self.findings) = (name, findings)
    let (amounts, mirrors, own) = (self.amounts, self.mirrors, self.own)
    let pairs = (0..<3).map { index in
      Computed {
        let first = amounts[2 * index].value
        letOthersRun()
        return first + amounts[2 * index + 1].value
      }
    }
    self.pairs = pairs
    total = Computed { pairs.reduce(0) { $0 + $1.value } }
    rotated = Computed {
      let start = amounts[0].value & 3
      letOthersRun()
      return (0..<6).reduce(0) { $0 + amounts[(start + $1) % 6].value }
    }
    boxes = Computed { Counted(pairs[0].value * 1_000 + amounts[5].value, live) }
    differences = (0..<3).map { index in Computed { pairs[index].value - mirrors[index].value } }
    owns = Computed { own.map { $0.value } }
    begin()
  }
  private func begin() {
    for sum in [total, rotated] {
      let calls = calls
      let observer = Observer<Int>("\(name) sum", findings, start: 600) { _ in calls.add() }
      observer.begin { sum.observe($0) }
      observers.append(observer)
    }
    for (pair, mirror) in zip(pairs, mirrors) { last("pair", pair) { mirror.set($0) } }
    for difference in differences { last("difference", difference) { _ in } }
    last("boxes", boxes) { _ in }
    last("owns", owns) { _ in }
  }
  /// Adds a handler that stays, and must have received the last value at the end.
  private func last<Value: Equatable & Sendable>(
    _ what: String, _ value: Computed<Value>, _ then: @escaping @Sendable (Value) -> Void
  ) {
    let observer = Observer<Value>("\(name) \(what)", findings, start: value.value, then: then)
    observer.begin { value.observe($0) }
    observers.append(observer)
    lasting.append { observer.last == value.value }
  }

  func act(_ index: Int, _ random: inout SeededRandom, _ observers: inout [AnyObserver]) {
    switch random.next(10) {
    case 0, 1, 2:
      let (from, step, amount) = (random.next(6), 1 + random.next(5), random.next(9))
      commitTogether {
        $0.update(amounts[from]) { $0 -= amount }
        $0.update(amounts[(from + step) % 6]) { $0 += amount }
      }
    case 3:
      own[index].update { $0 += 1 }
      let (seen, expected) = (owns.value[index], own[index].value)
      findings.check(seen == expected, "\(name): own write \(expected) is seen as \(seen)")
    case 4: findings.check(total.value == 600 && rotated.value == 600, "\(name): a mixture is read")
    case 5, 6: observers.append(observe(random.next(6), isInitial: random.next(2) == 0, random.next(3) == 0))
    case 7:
      let number = random.next(4)
      observers.append(
        begin("own \(number)", isInitial: true) { [own] in own[number].observe(initial: true, $0) })
    default: if !observers.isEmpty { observers.remove(at: random.next(observers.count)).end() }
    }
  }
  /// Adds a handler. One that writes adds 0: a commit that changes no sum.
  private func observe(_ which: Int, isInitial: Bool, _ writes: Bool) -> AnyObserver {
    let (pair, source) = (pairs[which % 3], amounts[which])
    let writer: @Sendable (Int) -> Void = { _ in if writes { source.update { $0 += 0 } } }
    if which < 3 {
      return begin("a pair", isInitial: isInitial, then: writer) { pair.observe(initial: isInitial, $0) }
    }
    // A handler of a source that wrote that source would be called for ever.
    return begin("an amount", isInitial: isInitial) { source.observe(initial: isInitial, $0) }
  }
  private func begin(
    _ what: String, isInitial: Bool, then: @escaping @Sendable (Int) -> Void = { _ in },
    _ observe: (@escaping @Sendable (Int?, Int) -> Void) -> ValueSubscription
  ) -> AnyObserver {
    let observer = Observer<Int>("\(name) \(what)", findings, then: then)
    observer.begin(observe)
    if isInitial { findings.check(observer.last != nil, "\(name) \(what): no call with the initial value") }
    return observer
  }

  /// When all threads have finished.
  func check() {
    findings.check(calls.value == 0, "\(name): a sum that stays was notified \(calls.value) times")
    for (index, isLast) in lasting.enumerated() {
      findings.check(isLast(), "\(name): lasting handler \(index) has not received the last value")
    }
    for difference in differences {
      findings.check(difference.value == 0, "\(name): a difference is \(difference.value)")
    }
    for observer in observers { observer.end() }
  }
}
