import Tidings

enum ObservedValue: ValueContender {
  static let name = "Observed"

  private static func observed(handlers: Int, _ tally: Tally) -> (Observed<Int>, [Subscription]) {
    let value = Observed(0)
    return (value, (0..<handlers).map { _ in value.observe { change in tally.add(change.old! &+ change.new) } })
  }

  static func set(_ handlers: Int, _ tally: Tally) -> Loop {
    let (value, tokens) = observed(handlers: handlers, tally)
    return { payloads in
      for payload in payloads { value.set(payload) }
      withExtendedLifetime(tokens) {}
    }
  }

  static func update(_ tally: Tally) -> Loop {
    let (value, tokens) = observed(handlers: 1, tally)
    return { payloads in
      for _ in payloads { value.update { $0 &+= 1 } }
      withExtendedLifetime(tokens) {}
    }
  }

  static func read(_ tally: Tally) -> Loop {
    let value = Observed(7)
    return { payloads in
      for _ in payloads { tally.add(value.value) }
    }
  }

  static func setFour(_ tally: Tally) -> Loop {
    let values = (0..<4).map { _ in observed(handlers: 1, tally) }
    let (a, b, c, d) = (values[0].0, values[1].0, values[2].0, values[3].0)
    return { payloads in
      for payload in payloads {
        transaction {
          a.set(payload)
          b.set(payload &* 2)
          c.set(payload &* 3)
          d.set(payload &* 4)
        }
      }
      withExtendedLifetime(values) {}
    }
  }
}

enum DerivedValue: DerivingContender {
  static let name = "Derived"

  static func diamond(_ tally: Tally) -> Loop {
    let source = Observed(0)
    let left = map(source) { $0 &+ 1 }
    let right = map(source) { $0 &* 2 }
    let sum = map(left, right) { $0 &+ $1 }
    return loop(source, [sum.observe { tally.add($0.new) }])
  }

  static func wide(_ count: Int, _ tally: Tally) -> Loop {
    let source = Observed(0)
    let derived = (0..<count).map { place in map(source) { $0 &+ place } }
    return loop(source, derived.map { $0.observe { tally.add($0.new) } }, derived)
  }

  static func deep(_ depth: Int, _ tally: Tally) -> Loop {
    let source = Observed(0)
    var top = map(source) { $0 &+ 1 }
    for _ in 1..<depth {
      let below = top
      // A first read calls the closures: here each finds what is below it computed.
      _ = below.value
      top = map(below) { $0 &+ 1 }
    }
    return loop(source, [top.observe { tally.add($0.new) }])
  }

  static func cellx(_ layers: Int, _ tally: Tally) -> Loop {
    let (a, b, c, d) = (Observed(0), Observed(0), Observed(0), Observed(0))
    var derived: [Derived<Int>] = []
    var tokens: [Subscription] = []
    func add(_ layer: [Derived<Int>]) {
      derived += layer
      tokens += layer.map { $0.observe { tally.add($0.new) } }
    }
    add([map(b) { $0 }, map(a, c) { $0 &- $1 }, map(b, d) { $0 &+ $1 }, map(c) { $0 }])
    for _ in 1..<layers {
      let last = derived.suffix(4).map { $0 }
      add(layer(last[0], last[1], last[2], last[3]))
    }
    return { [derived, tokens] payloads in
      for payload in payloads {
        transaction {
          a.set(payload)
          b.set(payload &* 2)
          c.set(payload &* 3)
          d.set(payload &* 4)
        }
      }
      withExtendedLifetime((derived, tokens)) {}
    }
  }

  private static func layer(
    _ a: Derived<Int>, _ b: Derived<Int>, _ c: Derived<Int>, _ d: Derived<Int>
  ) -> [Derived<Int>] {
    [map(b) { $0 }, map(a, c) { $0 &- $1 }, map(b, d) { $0 &+ $1 }, map(c) { $0 }]
  }

  // Never inlined, see `ByHand`.
  @inline(never)
  private static func map(_ a: Derived<Int>, _ transform: @escaping @Sendable (Int) -> Int) -> Derived<Int> {
    Derived { transform(a.value) }
  }
  @inline(never)
  private static func map(_ a: Observed<Int>, _ transform: @escaping @Sendable (Int) -> Int) -> Derived<Int> {
    Derived { transform(a.value) }
  }
  @inline(never)
  private static func map(
    _ a: Derived<Int>, _ b: Derived<Int>, _ transform: @escaping @Sendable (Int, Int) -> Int
  ) -> Derived<Int> {
    Derived { transform(a.value, b.value) }
  }
  @inline(never)
  private static func map(
    _ a: Observed<Int>, _ b: Observed<Int>, _ transform: @escaping @Sendable (Int, Int) -> Int
  ) -> Derived<Int> {
    Derived { transform(a.value, b.value) }
  }

  static func dynamic(_ tally: Tally) -> Loop {
    let source = Observed(0)
    let even = (0..<10).map { Observed($0) }
    let odd = (0..<10).map { Observed($0 * 3) }
    let sum = Derived {
      var sum = source.value
      for input in sum & 1 == 0 ? even : odd { sum &+= input.value }
      return sum
    }
    return loop(source, [sum.observe { tally.add($0.new) }])
  }

  static func read(_ tally: Tally) -> Loop {
    let source = Observed(6)
    let next = Derived { source.value &+ 1 }
    return { payloads in
      for _ in payloads { tally.add(next.value) }
    }
  }

  private static func loop(
    _ source: Observed<Int>, _ tokens: [Subscription], _ derived: [Derived<Int>] = []
  ) -> Loop {
    { payloads in
      for payload in payloads { source.set(payload) }
      withExtendedLifetime((tokens, derived)) {}
    }
  }
}
