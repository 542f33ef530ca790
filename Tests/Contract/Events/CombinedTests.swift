// swift-format-ignore-file: OnlyOneTrailingClosureArgument

import Testing
import Tidings
import TidingsTesting

@Suite("Combined arguments of observe", .timeLimit(.minutes(20)))
struct CombinedTests {
  @Test(
    """
    30. Owner, `onError`, delivery target, asynchronous handler, `once` and `.initial` combine freely, and each keeps its \
    promise in every combination.
    """)
  func everyCombination() async {
    let (value, seen, queue) = (Observed(0), Recorder<String>(), ManualQueue())
    let (owner, listener) = (Owner(), Listener())
    var tokens: Set<Subscription> = []
    @Sendable func note(_ name: String, _ change: Change<Int>) { seen("\(name) \(change.new)") }
    @Sendable func fail(_ change: Change<Int>) throws { throw Oops(value: change.new) }
    func caught(_ name: String) -> @Sendable (any Error) -> Void {
      { seen("\(name) \(($0 as? Oops)?.value ?? -1)") }
    }

    for (kind, source) in [
      ("", value.changes), ("initial ", value.changes(.initial)), ("once ", value.changes.prefix(1)),
      ("initial once ", value.changes(.initial).prefix(1)),
    ] {
      source.observe { note(kind + "plain", $0) }.store(in: &tokens)
      source.observe(onError: caught(kind + "onError")) { try fail($0) }.store(in: &tokens)
      source.observe(with: owner) { _, change in note(kind + "owner", change) }
      source.observe(with: owner, onError: caught(kind + "owner onError")) { _, change in try fail(change) }
      source.observe(with: listener) { _, change in note(kind + "actor", change) }
      source.observe(with: listener, onError: caught(kind + "actor onError")) { _, change in try fail(change) }
      source.observe(on: .manual(queue)) { note(kind + "target", $0) }.store(in: &tokens)
      source.observe(on: .manual(queue), onError: caught(kind + "target onError")) { try fail($0) }
        .store(in: &tokens)
      source.observe(on: .manual(queue), with: owner) { _, change in note(kind + "target owner", change) }
      source.observe(on: .manual(queue), with: owner, onError: caught(kind + "target owner onError")) { _, change in
        try fail(change)
      }
      source.observe { change in
        await Task.yield()
        note(kind + "async", change)
      }.store(in: &tokens)
      source.observe(onError: caught(kind + "async onError")) { change in
        await Task.yield()
        try fail(change)
      }.store(in: &tokens)
      source.observe(with: owner) { _, change in
        await Task.yield()
        note(kind + "async owner", change)
      }
      source.observe(with: owner, onError: caught(kind + "async owner onError")) { _, change in
        await Task.yield()
        try fail(change)
      }
      source.observe(with: listener) { _, change in
        await Task.yield()
        note(kind + "async actor", change)
      }
      source.observe(with: listener, onError: caught(kind + "async actor onError")) { _, change in
        await Task.yield()
        try fail(change)
      }
    }
    value.set(1)
    value.set(2)
    queue.runAll()
    let forms = [
      "plain", "onError", "owner", "owner onError", "actor", "actor onError", "target", "target onError",
      "target owner",
      "target owner onError", "async", "async onError", "async owner", "async owner onError", "async actor",
      "async actor onError",
    ]
    let expected: [(String, [Int])] = [("", [1, 2]), ("initial ", [0, 1, 2]), ("once ", [1]), ("initial once ", [0])]
    let total = expected.map(\.1.count).reduce(0, +) * forms.count
    let all = await seen.values(atLeast: total)
    #expect(all.count == total)
    for (kind, values) in expected {
      for form in forms {
        let name = kind + form
        let received = all.filter { $0.dropLast(2) == name }
        #expect(received == values.map { "\(name) \($0)" }, "\(name)")
      }
    }
    #expect(value.diagnostics.count == 2 * forms.count, "those of `once` have ended")
    withExtendedLifetime((tokens, owner)) {}
  }

  @Test("30. Every short form is the same: `once` and `.initial` with owner, error handler, target and waiting")
  func combinedShortForms() async {
    let (value, seen, queue) = (Observed(0), Recorder<String>(), ManualQueue())
    let (owner, listener) = (Owner(), Listener())
    var tokens: [Subscription] = []
    @Sendable func fail(_ change: Change<Int>) throws { throw Oops(value: change.new) }
    @Sendable func failLater(_ change: Change<Int>) async throws {
      await Task.yield()
      try fail(change)
    }
    @Sendable func noteLater(_ name: String, _ change: Change<Int>) async {
      await Task.yield()
      seen("\(name) \(change.new)")
    }
    func caught(_ name: String) -> @Sendable (any Error) -> Void {
      { seen("\(name) \(($0 as? Oops)?.value ?? -1)") }
    }
    value.once(with: owner) { _, change in seen("K \(change.new)") }
    value.once(with: listener) { _, change in seen("L \(change.new)") }
    value.once(onError: caught("M")) { try fail($0) }
    value.once(on: .manual(queue)) { seen("N \($0.new)") }
    value.once { await noteLater("O", $0) }
    value.once(with: owner, onError: caught("A")) { _, change in try fail(change) }
    value.once(with: listener, onError: caught("B")) { _, change in try fail(change) }
    value.once(on: .manual(queue), with: owner) { _, change in seen("C \(change.new)") }
    value.once(on: .manual(queue), onError: caught("D")) { try fail($0) }
    value.once(on: .manual(queue), with: owner, onError: caught("E")) { _, change in try fail(change) }
    value.once(onError: caught("F")) { try await failLater($0) }
    value.once(with: owner) { _, change in await noteLater("G", change) }
    value.once(with: owner, onError: caught("H")) { _, change in try await failLater(change) }
    value.once(with: listener) { _, change in await noteLater("I", change) }
    value.once(with: listener, onError: caught("J")) { _, change in try await failLater(change) }

    value.observe(.initial, with: owner) { _, change in seen("l \(change.new)") }
    value.observe(.initial, with: listener) { _, change in seen("m \(change.new)") }
    value.observe(.initial, onError: caught("n")) { try fail($0) }.store(in: &tokens)
    value.observe(.initial, on: .manual(queue)) { seen("o \($0.new)") }.store(in: &tokens)
    value.observe(.initial, with: owner, onError: caught("a")) { _, change in try fail(change) }
    value.observe(.initial, with: listener, onError: caught("b")) { _, change in try fail(change) }
    value.observe(.initial, on: .manual(queue), with: owner) { _, change in seen("c \(change.new)") }
    value.observe(.initial, on: .manual(queue), onError: caught("d")) { try fail($0) }.store(in: &tokens)
    value.observe(.initial, on: .manual(queue), with: owner, onError: caught("e")) { _, change in try fail(change) }
    value.observe(.initial, onError: caught("f")) { try await failLater($0) }.store(in: &tokens)
    value.observe(.initial, with: owner) { _, change in await noteLater("g", change) }
    value.observe(.initial, with: owner, onError: caught("h")) { _, change in try await failLater(change) }
    value.observe(.initial, with: listener) { _, change in await noteLater("i", change) }
    value.observe(.initial, with: listener, onError: caught("j")) { _, change in try await failLater(change) }
    value.observe(.initial, buffering: .newest(9)) { await noteLater("k", $0) }.store(in: &tokens)
    value.set(1)
    queue.runAll()
    value.set(2)
    queue.runAll()
    let received = await seen.values(atLeast: 60)
    #expect(received.filter { $0 < "a" }.sorted() == "ABCDEFGHIJKLMNO".map { "\($0) 1" })
    #expect(received.count == 60)
    for name in "abcdefghijklmno" {
      #expect(received.filter { $0.first == name } == (0...2).map { "\(name) \($0)" }, "in order: \(name)")
    }
    #expect(value.diagnostics.count == 15, "those of `once` have ended")
    withExtendedLifetime((tokens, owner)) {}
  }

  @Test("14. In every combination with an owner the token may be dropped, and the handler ends with the owner")
  func ownersEnd() async {
    let (event, canaries, queue) = (Event<Int>(), Canaries(), ManualQueue())
    do {
      let owner = Owner()
      event.observe(with: owner, onError: { (_: any Error) in }) { [canary = canaries.make()] _, _ in canary.touch() }
      event.observe(on: .manual(queue), with: owner) { [canary = canaries.make()] _, _ in canary.touch() }
      event.once(with: owner) { [canary = canaries.make()] _, _ in canary.touch() }
      event.map { $0 }.observe(with: owner) { [canary = canaries.make()] _, _ in
        await Task.yield()
        canary.touch()
      }
      event.dropFirst(5).prefix(2).observe(with: owner) { [canary = canaries.make()] _, _ in canary.touch() }
      #expect(canaries.alive == 5 && event.diagnostics.count == 5)
      withExtendedLifetime(owner) {}
    }
    event.emit(contentsOf: 1...6)
    queue.runAll()
    await event.drained()
    #expect(await canaries.quiesce())
    #expect(event.diagnostics.count == 0)
  }
}
