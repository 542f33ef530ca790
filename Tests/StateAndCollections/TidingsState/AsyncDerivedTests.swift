import Testing
import Tidings
import TidingsState
import TidingsTesting

@Suite("Async derived values")
struct AsyncDerivedTests {
  @Test(
    """
    36. An `AsyncDerived` is loading from the change of what it read before it first suspended until its newest computation has \
    answered; it is never seen loaded or failed with the answer to other inputs than those of that moment. An older computation is \
    cancelled, and what it returns is dropped.
    """)
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func theStateIsThatOfTheInputs() async throws {
    try await loadingLoadedFailed()
    try await olderAnswersAreDropped()
    try await onlyWhatIsReadBeforeTheFirstSuspension()
    try await inATransaction()
    for seed in Runs.seeds(3, of: "async derived") { await neverTheAnswerToAnotherInput(seed) }
  }

  @Test("A debounced value computes for the last input of a series, when the interval is over")
  func debounced() async throws {
    let (query, clock, asked) = (Observed("a"), ManualClock(), Recorder<String>())
    let found = AsyncDerived(of: query, debounce: .seconds(1), clock: clock) { text in
      asked(text)
      return text.count
    }
    let token = found.observe { _ in }
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(500))
    query.set("ab")
    query.set("abc")
    #expect(found.value.isLoading)
    let isLoaded = await eventually {
      clock.advance(by: .milliseconds(100))
      return found.value.output == 3
    }
    #expect(isLoaded && asked.values == ["abc"])
    withExtendedLifetime(token) {}
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func loadingLoadedFailed() async throws {
    let (number, server, log) = (Observed(1), Server(), Recorder<String>())
    let answer = AsyncDerived { try await server.ask(number.value) }
    #expect(server.asked == [], "nothing is computed before the first read")
    let token = answer.observe(.initial) { log(text($0.new)) }
    #expect(server.asked == [1] && answer.value.isLoading && answer.value.latest == nil)
    #expect(await server.answer(1))
    #expect(try await answer.loaded() == "answer 1")
    number.set(2)
    #expect(server.asked == [1, 2] && text(answer.value) == "loading after answer 1")
    #expect(await server.answer(2, failing: true))
    await #expect(throws: Unavailable(number: 2)) { try await answer.loaded() }
    #expect(answer.value.error as? Unavailable == Unavailable(number: 2) && answer.value.output == nil)
    answer.reload()
    #expect(await server.answer(2))
    #expect(try await answer.loaded() == "answer 2")
    let expected = [
      "loading", "answer 1", "loading after answer 1", "failed after answer 1", "loading after answer 1", "answer 2",
    ]
    #expect(await log.values(atLeast: 6) == expected)
    #expect(server.cancelled.isEmpty)
    withExtendedLifetime(token) {}
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func olderAnswersAreDropped() async throws {
    let (number, server, states) = (Observed(1), Server(), Recorder<String>())
    let answer = AsyncDerived { try await server.ask(number.value) }
    let token = answer.observe { states(text($0.new)) }
    number.set(2)
    #expect(await eventually { server.cancelled == [1] })
    number.set(3)
    #expect(await eventually { server.cancelled == [1, 2] })
    #expect(await server.answer(3))
    #expect(try await answer.loaded() == "answer 3")
    for late in 1...2 { #expect(await server.answer(late)) }
    number.set(4)
    #expect(await server.answer(4))
    #expect(try await answer.loaded() == "answer 4")
    #expect(!states.values.contains { $0.hasSuffix("answer 1") || $0.hasSuffix("answer 2") })
    withExtendedLifetime(token) {}
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func onlyWhatIsReadBeforeTheFirstSuspension() async throws {
    let (isLong, early, late, server) = (Observed(false), Observed(1), Observed(10), Server())
    let answer = AsyncDerived {
      let number = early.value + (isLong.value ? late.value : 0)
      let answer = try await server.ask(number)
      return "\(answer), \(late.value)"
    }
    let token = answer.observe { _ in }
    #expect(await server.answer(1))
    #expect(try await answer.loaded() == "answer 1, 10")
    late.set(20)
    #expect(!answer.value.isLoading, "read after the suspension")
    isLong.set(true)
    #expect(await server.answer(21))
    #expect(try await answer.loaded() == "answer 21, 20")
    late.set(30)
    #expect(answer.value.isLoading, "read before it now")
    #expect(await server.answer(31))
    withExtendedLifetime(token) {}
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func inATransaction() async throws {
    let (number, server) = (Observed(1), Server())
    let answer = AsyncDerived { try await server.ask(number.value) }
    let pair = Derived { "\(number.value): \(text(answer.value))" }
    _ = answer.value
    #expect(await server.answer(1))
    #expect(try await answer.loaded() == "answer 1")
    transaction {
      number.set(2)
      #expect(pair.value == "2: loading after answer 1")
      Threads.elsewhere { #expect(pair.value == "1: answer 1", "others see neither") }
      number.set(1)
    }
    #expect(await eventually { server.cancelled.contains(2) }, "asked for that read alone")
  }

  /// 4 tasks change the input, a server answers in any order, two threads look.
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private func neverTheAnswerToAnotherInput(_ seed: UInt64) async {
    let (number, wrong, loaded) = (Observed(0), Locked<[String]>([]), Locked(0))
    let answer = AsyncDerived {
      let number = number.value
      var random = SplitMix64(seed, number)
      for _ in 0..<random.number(below: 8) { await Task.yield() }
      if random.isOne(in: 5) { throw Unavailable(number: number) }
      return number
    }
    let pair = Derived { (number.value, answer.value) }
    @Sendable func check(_ pair: (Int, AsyncState<Int>)) {
      let (input, state) = pair
      guard let output = state.output ?? (state.error as? Unavailable)?.number else { return }
      loaded.withLock { $0 += 1 }
      if output != input { wrong.withLock { $0.append("\(output) for \(input)") } }
    }
    let token = pair.observe { check($0.new) }
    let hasEnded = Gate()
    Threads.start { while !hasEnded.isOpen { check(pair.value) } }
    await withTaskGroup { group in
      for task in 1...4 {
        group.addTask {
          var random = SplitMix64(seed, task, 1)
          for step in 0..<200 {
            number.set(task * 1_000 + step)
            for _ in 0..<random.number(below: 20) { await Task.yield() }
          }
        }
      }
    }
    number.set(1_000_000)
    #expect(await eventually { !answer.value.isLoading })
    hasEnded.open()
    #expect(wrong.current.isEmpty && loaded.current > 0, "TIDINGS_SEED=\(seed): \(wrong.current.prefix(3))")
    withExtendedLifetime(token) {}
  }

  @Test("Nothing is computed while it is neither read nor observed")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func isComputedWhenRead() async throws {
    let (number, server) = (Observed(1), Server())
    let answer = AsyncDerived { try await server.ask(number.value) }
    for new in 2...5 { number.set(new) }
    #expect(server.asked.isEmpty)
    #expect(answer.value.isLoading && server.asked == [5])
    number.set(6)
    #expect(server.asked == [5] && server.cancelled.isEmpty)
    #expect(answer.value.isLoading && server.asked == [5, 6])
    #expect(await eventually { server.cancelled == [5] })
    for number in [5, 6] { #expect(await server.answer(number)) }
    #expect(try await answer.loaded() == "answer 6")
  }

  @Test("When it is destroyed its task is cancelled, and what its closure captured is released")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func cancelsItsTask() async {
    let (server, canaries) = (Server(), Canaries())
    do {
      let answer = AsyncDerived { [canary = canaries.make()] in
        canary.touch()
        return try await server.ask(1)
      }
      #expect(answer.value.isLoading)
    }
    #expect(await eventually { server.cancelled == [1] })
    #expect(await server.answer(1))
    #expect(await canaries.quiesce())
  }

  @Test("Waiting ends with the cancellation of the task that waits")
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  func waitingIsCancelled() async {
    let server = Server()
    let answer = AsyncDerived { try await server.ask(1) }
    let task = Task { try await answer.loaded() }
    #expect(await eventually { server.isWaiting(for: 1) })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await server.answer(1))
  }

  @Test(
    "Values read before the first suspension are dependencies on the main actor too, also if the closure then leaves it"
  )
  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @MainActor func readOnTheMainActor() async throws {
    let (number, server) = (Observed(1), Server())
    let answer = AsyncDerived { try await server.ask(number.value) }
    #expect(answer.value.isLoading && server.asked == [1])
    #expect(await server.answer(1))
    #expect(try await answer.loaded() == "answer 1")
    number.set(2)
    #expect(answer.value.isLoading && server.asked == [1, 2])
    #expect(await server.answer(2))
    #expect(try await answer.loaded() == "answer 2")
  }

  @Test("With its input apart, the computation may belong to an actor")
  @MainActor func ofAnInput() async throws {
    let number = Observed(1)
    let here = Locked<[Int]>([])
    let doubled = AsyncDerived(of: number) { @MainActor number in
      here.withLock { $0.append(number) }
      return number * 2
    }
    #expect(try await doubled.loaded() == 2)
    number.set(4)
    #expect(doubled.value.isLoading && doubled.value.latest == 2)
    #expect(try await doubled.loaded() == 8 && here.current == [1, 4])
  }
}

private func text(_ state: AsyncState<String>) -> String {
  switch state {
  case .loading(let previous): previous.map { "loading after \($0)" } ?? "loading"
  case .loaded(let output): output
  case .failed(_, let previous): previous.map { "failed after \($0)" } ?? "failed"
  }
}
