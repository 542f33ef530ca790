import Tidings
import TidingsTesting

/// One thread of a trial: it moves, reads, looks for a while, and checks.
struct TornWorker<Value: Coin> {
  private struct Regret: Error {}
  private typealias Watched = (token: Subscription, isCancelled: @Sendable () -> Void)

  private let worlds: [TornWorld<Value>]
  private let kind: TornRound.Worlds
  /// The world that it uses now.
  private var world: TornWorld<Value>
  private let here: Here
  private var random: SplitMix64
  private var watched: [Watched] = []
  /// The last move, to take it back.
  private var last: (from: Int, to: Int, amount: Int) = (0, 0, 0)
  /// The number of steps in a hundred that write; zero for a thread that only reads.
  private let writes: Int

  init(
    _ worlds: [TornWorld<Value>], _ kind: TornRound.Worlds, _ thread: Int, _ here: Here, _ random: SplitMix64
  ) {
    self.worlds = worlds
    self.kind = kind
    world = worlds[thread % worlds.count]
    self.here = here
    self.random = random
    writes = [0, 15, 50, 50, 50, 95][self.random.number(below: 6)]
  }

  mutating func work(_ steps: Int) {
    for _ in 0..<steps {
      guard world.problems.isEmpty else { break }
      if kind == .merging, random.isOne(in: 32) { crossOver() }
      if random.number(below: 100) < writes { write() } else { look() }
    }
    while !watched.isEmpty { unwatch() }
  }

  private mutating func write() {
    switch random.number(below: 20) {
    case 0..<8: inTransaction { $0.move() }
    case 8..<11: inTransaction { $0.takeBack() }
    case 11:
      inTransaction {
        $0.move()
        $0.takeBack()
      }
    case 12: inTransaction { worker in for _ in 0..<3 { worker.move() } }
    case 13, 14: regret()
    case 15: reset()
    case 16: world.pointer.set(random.number(below: world.sources.count))
    default: flip()
    }
  }

  private mutating func look() {
    switch random.number(below: 20) {
    case 0..<2:
      let subject = world.subjects[random.number(below: world.subjects.count)]
      watched.append(subject.watch(random.isOne(in: 2)))
      if watched.count > 3 { unwatch() }
    case 2: if !watched.isEmpty { unwatch() }
    case 3..<6: makePrivate()
    case 6: transaction { read() }
    default: read()
    }
  }

  private mutating func read() { world.subjects[random.number(below: world.subjects.count)].read() }

  private mutating func unwatch() {
    let (token, isCancelled) = watched.remove(at: random.number(below: watched.count))
    token.cancel()
    isCancelled()
  }

  // MARK: What keeps the sum

  /// A transaction, maybe in others, after which the sum is as before.
  private mutating func inTransaction(_ body: (inout TornWorker) -> Void) {
    transaction {
      if random.isOne(in: 8) { read() }
      if random.isOne(in: 8) { regret() }
      here.isMid = true
      if random.isOne(in: 4) { transaction { body(&self) } } else { body(&self) }
      if random.isOne(in: 8) { regret() }
      if random.isOne(in: 8) { peek() }
      here.isMid = false
    }
  }

  private mutating func move() {
    let count = world.sources.count
    last = (random.number(below: count), random.number(below: count), 1 + random.number(below: world.modulus))
    shift()
  }

  private mutating func takeBack() {
    last = (last.to, last.from, last.amount)
    shift()
  }

  private mutating func shift() {
    add(world.modulus - last.amount, to: last.from)
    if random.isOne(in: 6) { peek() }
    if random.isOne(in: 6) {
      transaction { add(last.amount, to: last.to) }
    } else {
      add(last.amount, to: last.to)
    }
  }

  private func add(_ amount: Int, to source: Int) {
    let modulus = world.modulus
    world.sources[source].update { $0 = Value(moved($0.number, by: amount, modulus)) }
  }

  /// Half of a move, of which nothing may be left.
  private mutating func regret() {
    let wasMid = here.isMid
    here.isMid = true
    let (source, amount) = (random.number(below: world.sources.count), 1 + random.number(below: world.modulus - 1))
    do throws(Regret) {
      try transaction { () throws(Regret) in
        add(amount, to: source)
        peek()
        if random.isOne(in: 3) { world.sources[0].set(Value(random.number(below: world.modulus))) }
        throw Regret()
      }
    } catch {}
    here.isMid = wasMid
  }

  /// All together to what has the same sum.
  private mutating func reset() {
    let numbers = world.initial.shuffled(using: &random)
    let order = numbers.indices.shuffled(using: &random)
    transaction {
      for index in order { world.sources[index].set(Value(numbers[index])) }
    }
  }

  /// Outside transactions: another value, but the same modulo the modulus.
  private mutating func flip() {
    let modulus = world.modulus
    let source = world.sources[random.number(below: world.sources.count)]
    if random.isOne(in: 4) {
      source.update { _ in }
    } else {
      source.update { $0 = Value(($0.number + modulus) % (2 * modulus)) }
    }
  }

  private mutating func peek() {
    for _ in 0..<(1 + random.number(below: 2)) { read() }
  }

  // MARK: Several worlds

  private mutating func crossOver() {
    switch random.number(below: 4) {
    case 0: if writes > 0 { markAll() }
    case 1: deriveFromAll()
    default: (world, last) = (worlds[random.number(below: worlds.count)], (0, 0, 0))
    }
  }

  /// One number in all worlds, perhaps with a move in one of them.
  private mutating func markAll() {
    let mark = random.number(below: 3)
    inTransaction { worker in
      for world in worker.worlds.shuffled(using: &worker.random) { world.mark.set(mark) }
      if worker.random.isOne(in: 2) { worker.move() }
    }
  }

  /// Derives a value from all worlds: their graphs merge while other threads use them.
  private mutating func deriveFromAll() {
    let (worlds, problems) = (worlds.shuffled(using: &random), world.problems)
    let check: @Sendable ([Int]) -> String? = { Set($0).count == 1 ? nil : "marked \($0)" }
    let own = Derived {
      for world in worlds {
        let sum = world.sources.reduce(0) { $0 + $1.value.number } % world.modulus
        if sum != world.total, Here.now?.isMid != true { problems("over all: computed \(sum) and not \(world.total)") }
      }
      return worlds.map(\.mark.value)
    }
    let watch = Watch("over all", problems, isDistinct: true, check: check)
    if random.isOne(in: 2) { watched.append((own.observe(watch.receives), { watch.isCancelled() })) }
    if let problem = check(own.value) { problems("over all: read \(problem)") }
  }

  // MARK: What is derived for a moment

  private mutating func makePrivate() {
    let (sources, modulus, total, problems) = (world.sources, world.modulus, world.total, world.problems)
    let order = sources.indices.shuffled(using: &random)
    let check: @Sendable (Int) -> String? = { $0 == total ? nil : "\($0) and not \(total)" }
    let own = Derived {
      let sum = order.reduce(0) { $0 + sources[$1].value.number } % modulus
      if sum != total, Here.now?.isMid != true { problems("private: computed \(sum) and not \(total)") }
      return sum
    }
    let outer = Derived { own.value + modulus * (sources[order[0]].value.number % 2) }
    let watch = Watch("private", problems, isDistinct: true) { check($0 % modulus) }
    let token = random.isOne(in: 2) ? outer.observe(watch.receives) : nil
    for _ in 0..<random.number(below: 3) {
      if writes > 0 { inTransaction { $0.move() } }
      if let problem = check(outer.value % modulus) { problems("private: read \(problem)") }
    }
    token?.cancel()
    watch.isCancelled()
  }
}
