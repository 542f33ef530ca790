import Testing
import Tidings
import TidingsTesting

/// A handler is added with `.initial` while another thread delivers. What that thread delivers during the initial call waits for it.
@Suite("16, 43. What a value notified of before it ended is delivered after the initial call in which the value ended")
struct InitialGateTests {
  enum Handler: CaseIterable, Sendable {
    case plain, actor, async, queue, owner, once, stream, merged, shared, started, replayed, zipped, prefix
  }

  /// A value whose change to 1 another thread delivers until the gate opens.
  private final class Delivering: Sendable {
    let source = Locked<Observed<Int>?>(Observed(0))
    private let busy: Subscription
    private let proceed = Gate()
    private let writer = Writer()

    init(of isDerived: Bool) {
      let (isDelivering, proceed) = (Gate(), proceed)
      let handler: @Sendable (Change<Int>) -> Void = { change in
        guard change.new == 1 else { return }
        isDelivering.open()
        _ = proceed.wait()
      }
      let source = source
      let derived = isDerived ? source.current!.map { $0 } : nil
      self.derived = derived
      busy = derived.map { $0.observe { handler($0) } } ?? source.current!.observe { handler($0) }
      writer.start { source.current?.set(1) }
      _ = isDelivering.wait()
    }
    let derived: Derived<Int>?

    /// The delivering thread ends its call, does this, and the caller waits for it.
    func andThen(_ next: @escaping @Sendable () -> Void) {
      proceed.open()
      writer.run(next)
    }
    func end() {
      let source = source
      andThen {
        source.current?.set(2)
        source.current?.set(3)
        source.current = nil
      }
    }
  }

  @Test("every kind of handler, behind a derived value", arguments: Handler.allCases)
  func derived(_ handler: Handler) async {
    let (actor, queue, received) = (TestActor(), ManualQueue(), Recorder<Int>())
    let delivering = Delivering(of: true)
    let changes = delivering.derived!.changes(.initial).map { change in
      if change.old == nil { delivering.end() }
      return change.new
    }
    let (token, stream) = await actor.run { actor -> (Subscription?, EventStream<Int>?) in
      switch handler {
      case .plain: (changes.observe { received($0) }, nil)
      case .actor:
        (
          changes.observe {
            _ = actor
            received($0)
          }, nil
        )
      case .async:
        (
          changes.observe { value async in
            _ = actor
            received(value)
          }, nil
        )
      case .queue: (changes.observe(on: .manual(queue)) { received($0) }, nil)
      case .owner: (changes.observe(with: actor) { received($1) }, nil)
      case .once: (changes.once { received($0) }, nil)
      case .stream: (nil, changes.stream())
      case .merged: (changes.merge(Event<Int>()).observe { received($0) }, nil)
      case .shared: (changes.share().observe { received($0) }, nil)
      case .started: (changes.startWith(7).observe { received($0) }, nil)
      case .replayed: (changes.replay(1).observe { received($0) }, nil)
      case .prefix: (changes.prefix(2).observe { received($0) }, nil)
      case .zipped: (changes.zip(Event<Int>().startWith(1, 2, 3)).observe { received($0.0) }, nil)
      }
    }
    queue.runAll()
    await token?.drained()
    if let stream { for await value in stream { received(value) } }
    let expected: [Int] =
      switch handler {
      case .once: [1]
      case .prefix: [1, 2]
      case .replayed: [3]
      case .started: [7, 1, 2, 3]
      default: [1, 2, 3]
      }
    #expect(received.values == expected)
    if let token { #expect(!token.isActive) }
  }

  @Test("a source")
  func source() {
    let (delivering, received) = (Delivering(of: false), Recorder<Int>())
    let token = delivering.source.current!.observe(.initial) { change in
      if change.old == nil { delivering.end() }
      received(change.new)
    }
    #expect(received.values == [1, 2, 3] && !token.isActive)
  }

  @Test("25. `drained()` waits for what is still waiting behind the initial call", arguments: [false, true])
  func drained(isEnded: Bool) async {
    let (delivering, received) = (Delivering(of: true), Recorder<Int>())
    let token = delivering.derived!.observe(.initial) { change in
      received(change.new)
      guard change.old == nil else { return }
      let source = delivering.source
      delivering.andThen {
        // More than one call of `observe` delivers.
        for value in 2...3_000 { source.current?.set(value) }
        if isEnded { source.current = nil }
      }
    }
    await token.drained()
    #expect(received.values == Array(1...3_000) && token.isActive == !isEnded)
    withExtendedLifetime(delivering) {}
  }
}
