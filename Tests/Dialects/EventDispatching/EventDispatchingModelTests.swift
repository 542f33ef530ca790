import EventDispatching
import Testing
import TidingsTesting

/// Random programs of handlers that add, remove and notify, run here and on the simplest thing that is right: an array that
/// every notify copies.
@Suite struct EventDispatchingModelTests {
  @Test func `a random program receives the same as with an array that every notify copies`() {
    var kinds: Set<Substring> = []
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
        kinds.formUnion(expected.map { $0.prefix { $0.isLetter } })
      }
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
  private var generator: SplitMix64
  private var identifiers: [Identifier] = []
  private var depth = 0
  private var value = 0
  private var budget = 0
  private var log: [String] = []
  private let canaries = Canaries()

  init(
    _ seed: UInt64, add: @escaping (@escaping (Int) -> Void) -> Identifier,
    addOnce: @escaping (@escaping (Int) -> Void) -> Identifier, remove: @escaping (Identifier) -> Bool,
    notify: @escaping (Int) -> Void
  ) {
    (self.add, self.addOnce, self.remove, self.notify) = (add, addOnce, remove, notify)
    generator = SplitMix64(seed)
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log + ["alive \(canaries.alive)"]
  }

  func act(depth: Int) {
    if depth == 0 { budget = 25 }
    switch generator.number(below: 10) {
    case 0, 1, 2: identifiers.append(add(handler()))
    case 3: identifiers.append(addOnce(handler()))
    case 4, 5, 6:
      guard !identifiers.isEmpty else { return }
      let index = generator.number(below: identifiers.count)
      log.append(remove(identifiers[index]) ? "removed \(index)" : "kept \(index)")
    default:
      value += 1
      if depth > 0 { log.append("nested \(value)") }
      notify(value)
    }
  }

  private func handler() -> (Int) -> Void {
    let name = identifiers.count
    let canary = canaries.make()
    return { [unowned self] value in
      canary.touch()
      log.append("called \(name) with \(value)")
      depth += 1
      defer { depth -= 1 }
      guard depth < 5 else { return }
      for _ in 0..<generator.number(below: 3) where budget > 0 {
        budget -= 1
        act(depth: depth)
      }
    }
  }
}
