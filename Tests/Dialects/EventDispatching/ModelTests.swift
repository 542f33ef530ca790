import EventDispatching
import Testing

/// Random programs of handlers that add, remove and notify, run here and on the simplest thing that is right: an array that
/// every notify copies.
@Suite struct EventDispatchModel {
  @Test func `a random program receives the same as with an array that every notify copies`() {
    for seed in 1...200 as ClosedRange<UInt64> {
      let dispatch = EventDispatch<Int>()
      let real = Machine<EventDispatch<Int>.HandlerIdentifier>(
        seed, add: dispatch.addHandler, addOnce: dispatch.handleOnce, remove: dispatch.removeHandler,
        notify: dispatch.notify)
      let plain = PlainDispatch()
      let model = Machine<Int>(seed, add: plain.add, addOnce: plain.addOnce, remove: plain.remove, notify: plain.notify)
      for step in 1...30 {
        real.act(depth: 0)
        model.act(depth: 0)
        // The number of captures that are alive between two notifies is in it.
        let (received, expected) = (real.takeLog(), model.takeLog())
        guard received == expected else {
          Issue.record("seed \(seed), step \(step): \(received) instead of \(expected)")
          return
        }
      }
    }
  }

  @Test func `the random programs do what they are for`() {
    var kinds: Set<Substring> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let plain = PlainDispatch()
      let model = Machine<Int>(seed, add: plain.add, addOnce: plain.addOnce, remove: plain.remove, notify: plain.notify)
      for _ in 1...30 { model.act(depth: 0) }
      kinds.formUnion(model.takeLog().map { $0.prefix { $0.isLetter } })
    }
    // Or the comparison would prove nothing.
    #expect(kinds == ["called", "removed", "kept", "nested", "alive"])
  }
}

private final class PlainDispatch {
  private var handlers: [(id: Int, once: Bool, call: (Int) -> Void)] = []
  private var last = 0
  private var done: Set<Int> = []

  func add(_ call: @escaping (Int) -> Void) -> Int { append(once: false, call) }
  func addOnce(_ call: @escaping (Int) -> Void) -> Int { append(once: true, call) }
  private func append(once: Bool, _ call: @escaping (Int) -> Void) -> Int {
    last += 1
    handlers.append((last, once, call))
    return last
  }
  func remove(_ id: Int) -> Bool {
    guard let index = handlers.firstIndex(where: { $0.id == id }) else { return false }
    handlers.remove(at: index)
    return true
  }
  func notify(_ value: Int) {
    for handler in handlers {
      if handler.once {
        guard done.insert(handler.id).inserted else { continue }
        _ = remove(handler.id)
      }
      handler.call(value)
    }
  }
}

/// A program: what it does depends on the seed and on nothing but the order of the calls.
private final class Machine<Identifier> {
  private let add: (@escaping (Int) -> Void) -> Identifier
  private let addOnce: (@escaping (Int) -> Void) -> Identifier
  private let remove: (Identifier) -> Bool
  private let notify: (Int) -> Void
  private var state: UInt64
  private var identifiers: [Identifier] = []
  private var depth = 0
  private var value = 0
  private var budget = 0
  private var log: [String] = []
  private let probes = Probes()

  init(
    _ seed: UInt64, add: @escaping (@escaping (Int) -> Void) -> Identifier,
    addOnce: @escaping (@escaping (Int) -> Void) -> Identifier, remove: @escaping (Identifier) -> Bool,
    notify: @escaping (Int) -> Void
  ) {
    (self.add, self.addOnce, self.remove, self.notify) = (add, addOnce, remove, notify)
    state = seed &* 0x9E37_79B9_7F4A_7C15
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log + ["alive \(probes.count)"]
  }

  private func random(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  func act(depth: Int) {
    if depth == 0 { budget = 25 }
    switch random(below: 10) {
    case 0, 1, 2: identifiers.append(add(handler()))
    case 3: identifiers.append(addOnce(handler()))
    case 4, 5, 6:
      guard !identifiers.isEmpty else { return }
      let index = random(below: identifiers.count)
      log.append(remove(identifiers[index]) ? "removed \(index)" : "kept \(index)")
    default:
      value += 1
      if depth > 0 { log.append("nested \(value)") }
      notify(value)
    }
  }

  private func handler() -> (Int) -> Void {
    let name = identifiers.count
    let probe = Probe(probes)
    return { [unowned self] value in
      probe.touch()
      log.append("called \(name) with \(value)")
      depth += 1
      defer { depth -= 1 }
      guard depth < 5 else { return }
      for _ in 0..<random(below: 3) where budget > 0 {
        budget -= 1
        act(depth: depth)
      }
    }
  }
}

private final class Probes { var count = 0 }

/// What a handler captures.
private final class Probe {
  private let probes: Probes
  init(_ probes: Probes) {
    self.probes = probes
    probes.count += 1
  }
  deinit { probes.count -= 1 }
  func touch() {}
}
