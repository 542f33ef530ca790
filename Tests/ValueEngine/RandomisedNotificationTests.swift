import Testing

@testable import ValueEngine

/// Random graphs with handlers that write, read, add and cancel handlers, beside a plain program. `TIDINGS_SEED` replays a run,
/// `TIDINGS_ROUNDS` makes it longer.
extension ValueEngineTests {
  @Suite struct RandomisedNotificationTests {
    @Test("Handlers receive what the plain program gives")
    func oneThread() {
      let seed = SeededRandom.seed
      var random = SeededRandom(seed)
      for round in 0..<SeededRandom.rounds(250) {
        let program = ObservedProgram(&random)
        for step in 0..<40 {
          program.step()
          if let problem = program.problems.first {
            Issue.record("seed \(seed) round \(round) step \(step): \(problem)")
            return
          }
        }
        program.end()
        if let problem = program.problems.first {
          Issue.record("seed \(seed) round \(round), at the end: \(problem)")
          return
        }
      }
    }
  }
}

/// A graph of sources and computed values in the engine, the same as a plain function, and handlers that check one against the other.
private final class ObservedProgram: @unchecked Sendable {  // one thread uses it
  struct Plan {
    enum Kind: Int { case sum, choice, parity, most }
    let kind: Kind
    let reads: [Int]
    /// The value is a text, in a box.
    let isText: Bool
  }
  final class Observer: @unchecked Sendable {  // one thread uses it
    let node: Int
    var last: Int?
    /// The state from which `last` was, or an earlier one with the same value.
    var state: Int
    var token: ValueSubscription?
    var isActive = true
    var calls = 0
    init(_ node: Int, _ last: Int?, _ state: Int) { (self.node, self.last, self.state) = (node, last, state) }
  }

  private var random: SeededRandom
  private let sources: [Source<Int>]
  private var numbers: [Int: Computed<Int>] = [:]
  private var texts: [Int: Computed<String>] = [:]
  private let plans: [Plan]
  private var inputs: [Int]
  /// The values of all nodes after each commit.
  private var states: [[Int]] = []
  private var observers: [Observer] = []
  /// The number of acts that handlers may still make in this step.
  private var acts = 0
  private var hasActed = false
  private var written: Set<Int> = []
  private var runs: [Int]
  /// The nodes whose handlers were called, in order.
  private var called: [Int] = []
  private(set) var problems: [String] = []

  private var count: Int { sources.count + plans.count }

  init(_ random: inout SeededRandom) {
    let sourceCount = 1 + random.next(4)
    var plans: [Plan] = []
    for index in 0..<2 + random.next(12) {
      // Many reads of near nodes: diamonds.
      let reads = (0..<1 + random.next(3)).map { _ in
        max(0, sourceCount + index - 1 - random.next(min(sourceCount + index, 6)))
      }
      plans.append(Plan(kind: Plan.Kind(rawValue: random.next(4))!, reads: reads, isText: random.next(4) == 0))
    }
    self.random = SeededRandom(UInt64(1 + random.next(1 << 40)))
    self.plans = plans
    inputs = Array(0..<sourceCount)
    sources = (0..<sourceCount).map { Source($0) }
    runs = plans.map { _ in 0 }
    for (number, plan) in plans.enumerated() {
      let compute: @Sendable () -> Int = { [unowned self] in
        self.runs[number] += 1
        return Self.evaluate(plan) { self.read($0) }
      }
      if plan.isText {
        texts[sourceCount + number] = Computed { String(compute()) }
      } else {
        numbers[sourceCount + number] = Computed(compute)
      }
    }
    states = [plainValues()]
  }

  // MARK: The plain program

  static func evaluate(_ plan: Plan, _ read: (Int) -> Int) -> Int {
    switch plan.kind {
    case .sum: plan.reads.reduce(0) { $0 + read($1) } % 100
    case .choice: read(plan.reads[0]) & 1 == 0 ? read(plan.reads.last!) : read(plan.reads[plan.reads.count / 2]) + 1
    case .parity: plan.reads.reduce(0) { $0 ^ read($1) } & 1
    case .most: plan.reads.reduce(0) { max($0, read($1)) }
    }
  }
  private func plainValues() -> [Int] {
    var values = inputs
    for plan in plans { values.append(Self.evaluate(plan) { values[$0] }) }
    return values
  }
  /// For each node the greatest number of steps down to a source, by what it reads now.
  private func heights() -> [Int] {
    let values = states.last!
    var heights = inputs.map { _ in 0 }
    for plan in plans {
      var height = 0
      _ = Self.evaluate(plan) {
        height = max(height, heights[$0])
        return values[$0]
      }
      heights.append(height + 1)
    }
    return heights
  }

  // MARK: Acts

  private func read(_ node: Int) -> Int {
    if node < sources.count { return sources[node].value }
    return numbers[node]?.value ?? Int(texts[node]!.value)!
  }
  private func check(_ isRight: Bool, _ text: @autoclosure () -> String) {
    if !isRight { problems.append(text()) }
  }
  /// Commits one source or two. The plain program is first, because the engine calls handlers before the commit returns.
  private func write() {
    let (first, value) = (random.next(sources.count), random.next(7))
    let second = (first + 1) % sources.count
    let isTogether = second != first && random.next(3) == 0
    inputs[first] = value
    if isTogether { inputs[second] = value + 1 }
    written = isTogether ? [first, second] : [first]
    states.append(plainValues())
    if isTogether {
      commitTogether {
        $0.set(sources[first], value)
        $0.set(sources[second], value + 1)
      }
    } else if random.next(2) == 0 {
      sources[first].set(value)
    } else {
      sources[first].update { $0 = value }
    }
  }
  private func observe() {
    let (node, isInitial, isActing) = (random.next(count), random.next(2) == 0, random.next(3) == 0)
    let observer = Observer(node, isInitial ? nil : states.last![node], states.count - 1)
    let receive: @Sendable (Int?, Int) -> Void = { [unowned self, unowned observer] in
      self.receive(observer, $0, $1)
      if isActing { self.act() }
    }
    if node < sources.count {
      observer.token = sources[node].observe(initial: isInitial, receive)
    } else if let number = numbers[node] {
      observer.token = number.observe(initial: isInitial, receive)
    } else {
      observer.token = texts[node]!.observe(initial: isInitial) { receive($0.map { Int($0)! }, Int($1)!) }
    }
    check(!isInitial || observer.calls > 0, "no call with the initial value of \(node)")
    observers.append(observer)
  }
  private func cancel(_ observer: Observer) {
    observer.isActive = false
    observer.token?.cancel()
    observer.token = nil
  }
  private func act() {
    if acts == 0 { return }
    acts -= 1
    hasActed = true
    switch random.next(6) {
    case 0, 1, 2: write()
    case 3: observe()
    case 4: if let observer = observers.last(where: { _ in random.next(3) == 0 }) { cancel(observer) }
    default:
      let node = random.next(count)
      let value = read(node)
      check(value == states.last![node], "\(node) read in a handler is \(value), expected \(states.last![node])")
    }
  }
  private func receive(_ observer: Observer, _ old: Int?, _ new: Int) {
    let node = observer.node
    observer.calls += 1
    called.append(node)
    check(observer.isActive, "a handler of \(node) is called after its cancellation")
    check(old == observer.last, "\(node): old \(old ?? -1), and the new value before was \(observer.last ?? -1)")
    check(node < sources.count || old != new, "\(node) is notified of \(new), which it was")
    // A value of one state, and none before that of the last call.
    while observer.state < states.count, states[observer.state][node] != new { observer.state += 1 }
    check(observer.state < states.count, "\(node) is notified of \(new), which it never was")
    observer.last = new
  }

  func step() {
    acts = random.next(2) * random.next(8)
    (hasActed, called) = (false, [])
    runs = runs.map { _ in 0 }
    for observer in observers { observer.calls = 0 }
    let (before, known) = (states.last!, observers)
    switch random.next(8) {
    case 0: observe()
    case 1: if !observers.isEmpty { cancel(observers[random.next(observers.count)]) }
    case 2:
      let node = random.next(count)
      check(read(node) == states.last![node], "\(node) is read wrong")
    default:
      let first = states.count
      write()
      if !hasActed { checkCalls(known, before, first) }
      checkRuns(known)
    }
    checkLast()
    observers.removeAll { !$0.isActive }
  }
  /// After one commit without acts of handlers: each was called once if its value differs, inner values first.
  private func checkCalls(_ observers: [Observer], _ before: [Int], _ state: Int) {
    let now = states[state]
    for observer in observers where observer.isActive {
      let node = observer.node
      let isExpected = node < sources.count ? written.contains(node) : before[node] != now[node]
      let expected = isExpected ? 1 : 0
      check(observer.calls == expected, "\(node): \(observer.calls) calls, expected \(expected)")
    }
    let heights = heights()
    let order = called.map { heights[$0] }
    check(order == order.sorted(), "called in the order of the heights \(order)")
  }
  private func checkRuns(_ observers: [Observer]) {
    if hasActed { return }
    check(runs.allSatisfy { $0 <= 1 }, "computed twice for one change: \(runs)")
    let observed = observers.filter { $0.isActive && $0.node >= sources.count }
    if observed.isEmpty { check(runs.allSatisfy { $0 == 0 }, "computed without a reader: \(runs)") }
  }
  private func checkLast() {
    for observer in observers where observer.isActive {
      let value = states.last![observer.node]
      check(observer.last == value, "\(observer.node) was notified of \(observer.last ?? -1), and is \(value)")
    }
    check(Context.current.pointee.notifications.isEmpty, "notifications are left")
  }
  func end() {
    for observer in observers { cancel(observer) }
    for node in sources.count..<count {
      check(!pointer(to: node).has(Node.isWatched), "\(node) is still watched")
      check(read(node) == states.last![node], "\(node) is wrong")
    }
  }
  private func pointer(to node: Int) -> NodePointer {
    if let number = numbers[node] { return number.handle.node }
    return texts[node]!.handle.node
  }
}
