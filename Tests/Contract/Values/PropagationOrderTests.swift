import Testing
import Tidings
import TidingsTesting

/// The paragraph "The order of a propagation" of the contract.
@Suite("The order of a propagation")
struct PropagationOrderTests {
  private final class Model: Sendable {
    let a = Observed(0)
    let b = Observed(0)
    let c = Observed(0)
    let unrelated = Observed(0)
    let sum: Derived<Int>
    let changes: PropertyChanges<Model>

    init() {
      sum = Derived { [a, b, c] in a.value + b.value + c.value }
      changes = PropertyChanges(.init(\.a, a), .init(\.b, b), .init(\.c, c))
    }

    /// Records every notification, and calls `react` in the first handler of `a`.
    func record(_ log: Recorder<String>, _ react: @escaping @Sendable () -> Void) -> [Subscription] {
      [
        a.willChange.observe { _ in log("will a") },
        a.observe { change in
          log("a \(change.new)")
          react()
        },
        a.observe { log("a' \($0.new)") },
        b.willChange.observe { _ in log("will b") },
        b.observe { log("b \($0.new)") },
        c.observe { log("c \($0.new)") },
        sum.observe { log("sum \($0.new)") },
        changes.observe { log("\($0.keyPaths.count) properties") },
      ]
    }
  }

  private func notifications(_ react: @escaping @Sendable (Model) -> Void) -> [String] {
    let (model, log) = (Model(), Recorder<String>())
    let tokens = model.record(log) { react(model) }
    transaction {
      model.a.set(1)
      model.b.set(1)
      model.c.set(1)
    }
    withExtendedLifetime(tokens) {}
    return log.values
  }
  private let inOrder = ["will a", "a 1", "a' 1", "will b", "b 1", "c 1", "sum 3", "3 properties"]

  @Test("Derived values and property changes follow the sources, also when a handler sets an unrelated value")
  func derivedValuesFollowTheSourcesWhenAHandlerSets() {
    #expect(notifications { _ in } == inOrder)
    #expect(notifications { $0.unrelated.set(1) } == inOrder)
    #expect(notifications { $0.unrelated.update { $0 += 1 } } == inOrder)
  }

  @Test("Derived values and property changes follow the sources, also when a handler opens a transaction")
  func derivedValuesFollowTheSourcesWhenAHandlerOpensATransaction() {
    #expect(notifications { model in transaction { model.unrelated.set(1) } } == inOrder)
    #expect(notifications { _ in transaction {} } == inOrder)
  }

  @Test("Derived values follow the sources, also when a handler observes one, reads one and emits")
  func derivedValuesFollowTheSourcesWhenAHandlerLooks() {
    let (event, tokens) = (Event<Int>(), Locked<[Subscription]>([]))
    let seen = notifications { model in
      let token = event.observe { model.unrelated.set($0) }
      event.emit(model.sum.value)
      let other = Derived { model.unrelated.value }
      tokens.withLock { $0 += [token, other.observe { _ in }] }
    }
    #expect(seen == inOrder)
  }

  @Test("A value that a source's handler sets is notified before derived values, which are then computed once for both")
  func derivedValuesAreComputedOnceForWhatHandlersSet() {
    let (first, second, log) = (Observed(0), Observed(0), Recorder<String>())
    let sum = Derived { first.value + second.value }
    let tokens = [
      first.observe { change in
        log("first \(change.new)")
        second.set(change.new * 10)
        log("set")
      },
      first.observe { log("first' \($0.new)") },
      second.observe { log("second \($0.new)") },
      sum.observe { log("sum \($0.old!)→\($0.new)") },
    ]
    first.set(1)
    #expect(log.values == ["first 1", "second 10", "set", "first' 1", "sum 0→11"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "A derived value's handler is called after all handlers of its source, also when the first of them sets it again")
  func derivedValuesFollowASourceThatIsSetAgain() {
    for inTransaction in [false, true] {
      let (source, log) = (Observed(1), Recorder<String>())
      let derived = Derived { source.value * 10 }
      let tokens = [
        source.observe { change in
          log("s1 \(change.new)")
          if change.new == 2 { if inTransaction { transaction { source.set(3) } } else { source.set(3) } }
        },
        source.observe { log("s2 \($0.new)") },
        derived.observe { log("d \($0.old!)→\($0.new)") },
      ]
      source.set(2)
      #expect(log.values == ["s1 2", "s2 2", "s1 3", "s2 3", "d 10→30"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("A value that a derived value's handler sets is notified after the derived values of the same propagation")
  func derivedValuesOfOneChangeComeBeforeThoseThatTheirHandlersCause() {
    let (source, other, log) = (Observed(1), Observed(1), Recorder<String>())
    let (first, second) = (Derived { source.value * 10 }, Derived { source.value * 100 })
    let caused = Derived { other.value + 1 }
    let tokens = [
      first.observe { change in
        log("first \(change.new)")
        other.set(change.new)
      },
      second.observe { log("second \($0.new)") },
      other.observe { log("other \($0.new)") },
      caused.observe { log("caused \($0.new)") },
    ]
    source.set(2)
    #expect(log.values == ["first 20", "other 20", "second 200", "caused 21"])
    withExtendedLifetime(tokens) {}
  }
}
