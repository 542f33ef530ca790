/// The floor of derived values: the formulas, called by hand in the right order. Nothing is tracked, compared or kept
/// from other threads. It notifies no observer either: what it adds is the last value alone.
///
/// A formula applies a function that it is given to what is below it, as `map` of a publisher does, and as the derived values
/// here do.
enum ByHand: DerivingContender {
  static let name = "by hand, in order"

  static func diamond(_ tally: Tally) -> Loop { Sheet.diamond().loop(tally) }
  static func wide(_ count: Int, _ tally: Tally) -> Loop { Sheet.wide(count).loop(tally) }
  static func deep(_ depth: Int, _ tally: Tally) -> Loop { Sheet.deep(depth).loop(tally) }
  static func cellx(_ layers: Int, _ tally: Tally) -> Loop { Sheet.cellx(layers).loop(tally) }

  /// One of two branches of ten values that stay as they are: 0, 1, 2 … and 0, 3, 6 ….
  static func dynamic(_ tally: Tally) -> Loop {
    let source = HandNode(0)
    let even = (0..<10).map { HandNode($0) }
    let odd = (0..<10).map { HandNode($0 * 3) }
    let sum = HandFormula {
      var sum = source.value
      for input in sum & 1 == 0 ? even : odd { sum &+= input.value }
      return sum
    }
    return Sheet([source], [sum]).loop(tally)
  }

  static func read(_ tally: Tally) -> Loop {
    let source = HandNode(6)
    let next = HandFormula { source.value &+ 1 }
    next.compute()
    return { payloads in
      for _ in payloads { tally.add(next.read()) }
    }
  }
}

/// The same, with a handler called after each formula.
enum ByHandWithHandlers {
  static let name = "by hand, every handler called"

  static func wide(_ count: Int, _ tally: Tally) -> Loop { Sheet.wide(count, notifying: tally).loop(nil) }
  static func cellx(_ layers: Int, _ tally: Tally) -> Loop { Sheet.cellx(layers, notifying: tally).loop(nil) }
}

class HandNode {
  static let name = "an object with a property"
  final var value: Int

  init(_ value: Int = 0) { self.value = value }

  func compute() {}

  @inline(never)
  final func read() -> Int { value }
}

final class HandFormula: HandNode {
  private let formula: () -> Int

  init(_ formula: @escaping () -> Int) { self.formula = formula }

  override func compute() { value = formula() }
}

final class HandFormulaWithHandler: HandNode {
  private let formula: () -> Int
  private let handler: (Int) -> Void

  init(_ formula: @escaping () -> Int, _ handler: @escaping (Int) -> Void) {
    self.formula = formula
    self.handler = handler
  }

  override func compute() {
    value = formula()
    handler(value)
  }
}

/// Sources, and formulas in an order in which each may be called.
private final class Sheet {
  private let sources: [HandNode]
  private var nodes: [HandNode]
  // Unmanaged, as a retain and release around each call would cost as much as the formula.
  private let order: ContiguousArray<Unmanaged<HandNode>>

  init(_ sources: [HandNode], _ nodes: [HandNode]) {
    self.sources = sources
    self.nodes = nodes
    order = ContiguousArray(nodes.map { .passUnretained($0) })
  }

  // From the end, or the formulas of a deep one would free each other on the stack.
  deinit { while nodes.popLast() != nil {} }

  func loop(_ tally: Tally?) -> Loop {
    { payloads in
      for payload in payloads {
        self.set(payload)
        if let tally { tally.add(self.nodes[self.nodes.count - 1].value) }
      }
    }
  }

  // Never inlined: the optimizer must not see through the call.
  @inline(never)
  private func set(_ payload: Int) {
    for place in sources.indices { sources[place].value = payload &* (place &+ 1) }
    order.withUnsafeBufferPointer { order in
      for node in order { node._withUnsafeGuaranteedRef { $0.compute() } }
    }
  }

  static func diamond() -> Sheet {
    let source = HandNode()
    let left = map(source) { $0 &+ 1 }
    let right = map(source) { $0 &* 2 }
    return Sheet([source], [left, right, map(left, right) { $0 &+ $1 }])
  }

  static func wide(_ count: Int, notifying tally: Tally? = nil) -> Sheet {
    let source = HandNode()
    return Sheet([source], (0..<count).map { place in map(source, tally) { $0 &+ place } })
  }

  static func deep(_ depth: Int) -> Sheet {
    let source = HandNode()
    var nodes: [HandNode] = []
    for _ in 0..<depth {
      let below = nodes.last ?? source
      nodes.append(map(below) { $0 &+ 1 })
    }
    return Sheet([source], nodes)
  }

  static func cellx(_ layers: Int, notifying tally: Tally? = nil) -> Sheet {
    let sources = (0..<4).map { _ in HandNode() }
    var (first, second, third, fourth) = (sources[0], sources[1], sources[2], sources[3])
    var nodes: [HandNode] = []
    for _ in 0..<layers {
      let (a, b, c, d) = (first, second, third, fourth)
      first = map(b, tally) { $0 }
      second = map(a, c, tally) { $0 &- $1 }
      third = map(b, d, tally) { $0 &+ $1 }
      fourth = map(c, tally) { $0 }
      nodes += [first, second, third, fourth]
    }
    return Sheet(sources, nodes)
  }

  // Never inlined: then the function would be no longer one that is given.
  @inline(never)
  private static func map(_ a: HandNode, _ tally: Tally? = nil, _ transform: @escaping (Int) -> Int) -> HandNode {
    node({ transform(a.value) }, tally)
  }
  @inline(never)
  private static func map(
    _ a: HandNode, _ b: HandNode, _ tally: Tally? = nil, _ transform: @escaping (Int, Int) -> Int
  ) -> HandNode {
    node({ transform(a.value, b.value) }, tally)
  }
  @inline(__always)
  private static func node(_ formula: @escaping () -> Int, _ tally: Tally?) -> HandNode {
    if let tally { return HandFormulaWithHandler(formula) { tally.add($0) } }
    return HandFormula(formula)
  }
}

/// The floor of an observed value: a stored property, and a plain loop over closures that get the old and the new value.
final class ClosureArrayOfChanges: ValueContender {
  static let name = "closure array"
  private var value: Int
  private var handlers: [(Int, Int) -> Void] = []

  private init(_ value: Int = 0) { self.value = value }

  private convenience init(handlers: Int, _ tally: Tally) {
    self.init()
    for _ in 0..<handlers { observe { old, new in tally.add(old &+ new) } }
  }

  private func observe(_ handler: @escaping (Int, Int) -> Void) { handlers.append(handler) }

  // Never inlined: the optimizer must not see through the calls to the closures.
  @inline(never)
  private func set(_ new: Int) {
    let old = value
    value = new
    for handler in handlers { handler(old, new) }
  }

  @inline(never)
  private func read() -> Int { value }

  static func set(_ handlers: Int, _ tally: Tally) -> Loop {
    let value = ClosureArrayOfChanges(handlers: handlers, tally)
    return { payloads in
      for payload in payloads { value.set(payload) }
    }
  }

  static func update(_ tally: Tally) -> Loop {
    let value = ClosureArrayOfChanges(handlers: 1, tally)
    return { payloads in
      for _ in payloads { value.set(value.value &+ 1) }
    }
  }

  static func read(_ tally: Tally) -> Loop {
    let value = ClosureArrayOfChanges(7)
    return { payloads in
      for _ in payloads { tally.add(value.read()) }
    }
  }

  static func setFour(_ tally: Tally) -> Loop {
    let values = (0..<4).map { _ in ClosureArrayOfChanges(handlers: 1, tally) }
    let (a, b, c, d) = (values[0], values[1], values[2], values[3])
    return { payloads in
      for payload in payloads {
        a.set(payload)
        b.set(payload &* 2)
        c.set(payload &* 3)
        d.set(payload &* 4)
      }
    }
  }
}
