import Testing
import Tidings
import TidingsTesting

@Suite(
  """
  44. What begins by itself and is made while a value is computed begins after the outermost computation, and after the \
  transaction or the propagation in which that takes place: the first run of an effect, and the call of a handler with \
  its initial value. It is no part of the computation, so it may do what it may do elsewhere.
  """, .serialized)
struct BegunInComputationTests {
  /// The places where something is made.
  enum Place: String, CaseIterable {
    case read, nestedRead, untrackedRead, observed, mapped, effect, nestedEffect, transaction, writtenTransaction
    case failedTransaction, handler, initialHandler, deinitialized
  }
  /// The things that are made there.
  enum Form: String, CaseIterable {
    case effect, initial, initialWithOwner, initialChanges, initialOfDerived, initialOfReadOnly, initialOfEnded
  }

  private final class World: Sendable {
    let source = Observed(1, label: "begun.source")
    let target = Observed(0, label: "begun.target")
    let seen = Recorder<Int>()
    let log = Recorder<String>()
    let kept = Locked<[Subscription]>([])
    let owner = Owner()
    private let isMade = Locked(false)

    func keep(_ subscription: Subscription) { kept.withLock { $0.append(subscription) } }

    /// Makes what begins by itself, in the first call alone.
    func make(_ form: Form) {
      let isFirst = isMade.withLock { isMade in
        defer { isMade = true }
        return !isMade
      }
      guard isFirst else { return }
      let write: @Sendable (Change<Int>) -> Void = { [seen, target, log] change in
        log("begun")
        seen(change.new)
        target.set(change.new)
      }
      switch form {
      case .effect:
        keep(
          Tidings.effect("begun.effect") { [source, seen, log] in
            log("begun")
            seen(source.value)
          })
      case .initial: keep(source.observe(.initial, write))
      case .initialWithOwner: source.observe(.initial, with: owner) { _, change in write(change) }
      case .initialChanges: keep(source.changes(.initial).filter { _ in true }.observe(write))
      case .initialOfDerived: keep(source.map { $0 }.observe(.initial, write))
      case .initialOfReadOnly: keep(source.readOnly.observe(.initial, write))
      case .initialOfEnded: keep(Derived { 1 }.observe(.initial, write))
      }
      log("made")
    }
  }

  /// A computation at this place makes what `make` makes. Returns what is to be kept.
  private func visit(_ place: Place, _ log: Recorder<String>, _ make: @escaping @Sendable () -> Void) -> Any {
    let other = Observed(0)
    let maker = Derived { () -> Int in
      make()
      return other.value
    }
    defer { log("over") }
    switch place {
    case .read: return maker.value
    case .nestedRead: return Derived { maker.value + 1 }.value
    case .untrackedRead: return Derived { untracked { maker.value } }.value
    case .observed:
      let token = maker.observe { _ in }
      return token
    case .mapped:
      let mapped = other.map { value -> Int in
        make()
        return value
      }
      return mapped.value
    case .effect: return effect { make() }
    case .nestedEffect: return effect { _ = maker.value }
    case .transaction: return transaction { maker.value }
    case .writtenTransaction:
      return transaction {
        other.set(1)
        return maker.value
      }
    case .failedTransaction:
      struct Failure: Error {}
      try? transaction { () throws(Failure) in
        other.set(1)
        _ = maker.value
        throw Failure()
      }
      return maker
    case .handler:
      let token = other.observe { _ in _ = maker.value }
      other.set(1)
      return token
    case .initialHandler: return other.observe(.initial) { _ in _ = maker.value }
    case .deinitialized:
      // A computation that the end of a value causes, while another value is computed.
      let outer = Derived { () -> Int in
        withExtendedLifetime(DeinitCallback { _ = maker.value }) { other.value }
      }
      return outer.value
    }
  }

  @Test("what begins by itself does so after the computation that makes it", arguments: Place.allCases, Form.allCases)
  func beginsAfterTheComputation(_ place: Place, _ form: Form) async {
    let (world, reports) = (World(), Recorder<String>())
    let token = Diagnostics.reports.observe { report in
      if report.labels.contains(where: { $0.hasPrefix("begun.") || $0.contains("Tidings/") }) {
        reports(report.message)
      }
    }
    let kept = visit(place, world.log) { world.make(form) }
    #expect(world.seen.values == [1], "begun once")
    #expect(world.log.values.first == "made", "not in the computation")
    if form != .effect { #expect(world.target.value == 1, "and may write") }
    if form != .initialOfEnded {
      world.source.set(2)
      #expect(world.seen.values == [1, 2], "it follows")
      if form != .effect { #expect(world.target.value == 2) }
    }
    await Diagnostics.reports.drained()
    #expect(reports.values == [])
    token.cancel()
    withExtendedLifetime((kept, world)) {}
  }

  @Test(
    "cancelled before it begins, it never does", arguments: Form.allCases.filter { $0 != .initialWithOwner })
  func cancelledBeforeItBegins(_ form: Form) {
    let world = World()
    let maker = Derived { () -> Int in
      world.make(form)
      world.kept.current = []
      return 0
    }
    _ = maker.value
    world.source.set(2)
    #expect(world.seen.values == [])
  }

  @Test("changes that come before the initial call are delivered after it")
  func changesBeforeTheInitialCall() {
    let (world, log) = (World(), Recorder<Int>())
    let maker = Derived { () -> Int in
      world.keep(world.source.observe(.initial) { log($0.new) })
      Threads.meanwhile { for new in 2...4 { world.source.set(new) } }
      return 0
    }
    _ = maker.value
    #expect(log.values == [1, 2, 3, 4])
  }

  @Test("an initial call that starts the computation again is a cycle")
  func initialCallThatStartsTheComputationAgain() {
    let reports = Reports(about: ["begun.cycle"])
    let (source, kept) = (Observed(0, label: "begun.cycle", maximumDepth: 100), Locked<Subscription?>(nil))
    let maker = Derived { () -> Int in
      let value = source.value
      kept.current = source.observe(.initial) { _ in source.set(value + 1) }
      return value
    }
    let token = maker.observe { _ in }
    source.set(1)
    #expect(!reports.all.isEmpty)
    #expect(source.value < 200)
    withExtendedLifetime(token) {}
  }

  @MainActor private final class Screen {
    let title = LocalObserved("a")
    var lines: [String] = []
    var kept: [Subscription] = []
    var keptLocally: [LocalSubscription] = []
  }

  @Test("on the main actor it begins there, before the outer effect is made")
  @MainActor func onTheMainActor() {
    let (screen, source, target) = (Screen(), Observed(1), Observed(0, label: "begun.target"))
    let token = effect {
      screen.lines.append("outer")
      screen.kept = [
        effect { screen.lines.append("inner \(source.value)") },
        source.observe(.initial) { change in
          screen.lines.append("initial \(change.new)")
          target.set(change.new)
        },
      ]
      screen.keptLocally = [
        screen.title.observe(.initial) { change in
          screen.lines.append("local \(change.new)")
          target.set(7)
        }
      ]
    }
    #expect(screen.lines == ["outer", "inner 1", "initial 1", "local a"])
    #expect(target.value == 7)
    source.set(2)
    #expect(target.value == 2)
    screen.title.set("b")
    #expect(screen.lines.last == "local b" && target.value == 7)
    withExtendedLifetime(token) {}
  }

  @Test("through the queue of the main actor, what an effect makes begins in the same turn")
  @MainActor func throughTheQueueOfTheMainActor() async {
    let (screen, source) = (Screen(), Observed(1))
    let token = effect {
      screen.lines.append("outer \(source.value)")
      screen.kept = [effect { screen.lines.append("inner \(source.value)") }]
    }
    Threads.meanwhile { source.set(2) }
    #expect(await eventually { screen.lines.last == "inner 2" })
    withExtendedLifetime(token) {}
  }

  @Test("drained() waits for the first run")
  func drainedWaitsForTheFirstRun() async {
    let world = World()
    let maker = Derived { () -> Int in
      world.make(.effect)
      return 0
    }
    _ = maker.value
    for token in world.kept.current { await token.drained() }
    #expect(world.seen.values == [1])
    #expect(world.kept.current.first.map { "\($0)" }?.hasSuffix("(active)") ?? false)
  }

  @Test("an effect begins though the transaction that makes it fails")
  func beginsThoughTheTransactionFails() {
    struct Failure: Error {}
    let (source, seen, kept) = (Observed(1), Recorder<Int>(), Locked<Subscription?>(nil))
    try? transaction { () throws(Failure) in
      kept.current = effect { seen(source.value) }
      throw Failure()
    }
    #expect(seen.values == [1])
    source.set(2)
    #expect(seen.values == [1, 2])
  }
}
