import Tidings
import TidingsTesting

/// Builds the derived values of a trial: several levels, groupings and branches over the same sources.
struct TornGraph<Value: Coin> {
  typealias Subject = TornWorld<Value>.Subject

  var random: SplitMix64
  private(set) var subjects: [Subject] = []
  private let sources: [Observed<Value>]
  private let pointer: Observed<Int>
  private let problems: Problems
  private let modulus: Int
  private let total: Int

  init(
    _ sources: [Observed<Value>], _ pointer: Observed<Int>, _ problems: Problems, modulus: Int, total: Int,
    _ random: SplitMix64
  ) {
    self.sources = sources
    self.pointer = pointer
    self.problems = problems
    self.modulus = modulus
    self.total = total
    self.random = random
  }

  /// Says that a computation or a reader saw what cannot be, unless it is in a transaction of its own that has written.
  private func expectation() -> @Sendable (Bool, @autoclosure () -> String) -> Void {
    { [problems] condition, message in
      guard !condition, Here.now?.isMid != true else { return }
      problems(message())
    }
  }

  mutating func make() {
    let (sources, pointer, modulus, total) = (sources, pointer, modulus, total)
    let expect = expectation()
    let isWhole: @Sendable ([Int]) -> String? = {
      $0.reduce(0, +) % modulus == total && $0.allSatisfy { $0 >= 0 } ? nil : "\($0), whose sum is not \(total)"
    }
    @Sendable func numbers() -> [Int] { sources.map(\.value.number) }
    @Sendable func whole(_ values: [Int], _ name: String) -> [Int] {
      expect(isWhole(values) == nil, "\(name) computed from \(values), whose sum is not \(total)")
      return values
    }

    let vector = add("vector", isWhole, Derived("vector") { whole(numbers(), "vector") })
    let groupings = [grouping { $0 / 3 }, grouping { $0 % 3 }]
    let parts = groupings.enumerated().map { which, groups in
      groups.enumerated().map { number, group in
        add("part \(which).\(number)", { _ in nil }, Derived { sum(group, modulus) })
      }
    }
    for (which, parts) in parts.enumerated() {
      add("total \(which)", isWhole, Derived { whole(parts.map(\.value), "total \(which)") })
    }

    // These values cut off propagation: most moves do not change them.
    let somes = parts[0].enumerated().map { number, part in
      add("some \(number)", { _ in nil }, Derived { part.value > 0 })
    }
    let (shuffled, early) = (parts[0].indices.shuffled(using: &random), random.isOne(in: 2))
    add(
      "guarded", isWhole,
      Derived("guarded") {
        var values = Array(repeating: 0, count: somes.count)
        let before = early ? vector.value : []
        for index in shuffled where somes[index].value {
          values[index] = parts[0][index].value
          expect(values[index] > 0, "part \(index) was some, then \(values[index])")
        }
        if early { expect(isWhole(before) == nil, "guarded") }
        return whole(values, "guarded")
      })

    // The values read decide which values are read next.
    let chosen = Derived("chosen") {
      switch sources[0].value.number % 3 {
      case 0: whole(parts[0].map(\.value), "chosen 0")
      case 1: whole(parts[1].map(\.value), "chosen 1")
      default: whole(numbers(), "chosen 2")
      }
    }
    add("chosen", isWhole, chosen)
    let pointed = pointer.chain { sources[$0] }
    let hopping = Derived("hopping") { () -> [Int] in
      var (place, seen): (Int, [(Int, Int)]) = (pointer.value, [])
      for _ in 0..<3 {
        let number = sources[place].value.number
        seen.append((place, number))
        place = (place + number + 1) % sources.count
      }
      let all = whole(vector.value, "hopping")
      for (place, number) in seen {
        expect(all[place] == number, "hopping saw \(seen), vector \(all)")
      }
      return all
    }
    add("hopping", isWhole, hopping)

    // Derived values over derived values over the sources themselves.
    var deep = vector
    for level in 0..<(2 + random.number(below: 5)) {
      let (below, before, from) = (deep, random.isOne(in: 2), random.number(below: sources.count))
      deep = Derived("deep \(level)") {
        let early = before ? sources[from].value.number : 0
        let rotated = whole(below.value, "deep \(level)")
        let number = before ? early : sources[from].value.number
        let place = (from + sources.count - level % sources.count) % sources.count
        expect(rotated[place] == number, "deep \(level): source \(from) is \(number), below \(rotated)")
        return Array(rotated[1...] + rotated[..<1])
      }
      if random.isOne(in: 2) { add("deep \(level)", isWhole, deep) }
    }

    let order = Array(0..<5).shuffled(using: &random)
    let top = deep
    add(
      "cross", isWhole,
      Derived("cross") {
        var (all, first, second, place, there): ([Int], [Int], [Int], Int, Int) = ([], [], [], 0, 0)
        for step in order {
          switch step {
          case 0: all = vector.value
          case 1: first = parts[0].map(\.value)
          case 2: second = parts[1].map(\.value)
          case 3:
            place = pointer.value
            there = pointed.value.number
          default: _ = (top.value, chosen.value)
          }
        }
        for (groups, sums) in zip(groupings, [first, second]) {
          for (group, seen) in zip(groups, sums) {
            let now = group.reduce(0) { $0 + $1.value.number } % modulus
            expect(now == seen, "cross: a part is \(seen), its sources make \(now)")
          }
        }
        expect(all[place] == there, "cross: the pointer leads to \(there), in \(all) at \(place)")
        expect(all == numbers(), "cross: vector \(all), sources \(numbers())")
        return whole(all, "cross")
      })
  }

  private func grouping(_ group: (Int) -> Int) -> [[Observed<Value>]] {
    Dictionary(grouping: sources.indices, by: group).sorted { $0.key < $1.key }.map { $0.value.map { sources[$0] } }
  }

  @discardableResult
  private mutating func add<Result: Equatable & Sendable>(
    _ name: String, _ check: @escaping @Sendable (Result) -> String?, _ derived: Derived<Result>
  ) -> Derived<Result> {
    let (expect, problems) = (expectation(), problems)
    subjects.append(
      Subject(
        name: name,
        read: {
          let problem = check(derived.value)
          expect(problem == nil, "\(name) read as \(problem ?? "")")
        },
        watch: { initial in
          let watch = Watch("\(name), for a while", problems, isDistinct: true, check: check)
          let token = initial ? derived.observe(.initial, watch.receives) : derived.observe(watch.receives)
          if initial, watch.count == 0 { problems("\(name): `.initial` delivered nothing") }
          return (token, { watch.isCancelled() })
        },
        watchLastingly: { react in
          let watch = Watch("\(name)", problems, isDistinct: true, first: derived.value, check: check)
          let token = derived.observe { change in
            watch.receives(change)
            react(watch.count)
          }
          let isQuiet: @Sendable () -> String? = {
            let (notified, now) = (watch.last, derived.value)
            return notified == now ? nil : "\(name) last received \(notified!), is \(now)"
          }
          return (token, isQuiet)
        }))
    return derived
  }
}

private func sum<Value: Coin>(_ group: [Observed<Value>], _ modulus: Int) -> Int {
  return group.reduce(0) { $0 + $1.value.number } % modulus
}
