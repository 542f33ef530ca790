import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

/// Answers when the test says so, whether its task is cancelled or not.
final class TestActor: Sendable {
  struct Veto: Error, Equatable { let value: Int }
  let asked = Recorder<Int>()
  let answered = Recorder<Int>()
  private let latches: [Int: Latch]
  private let vetoes: Set<Int>

  init(_ values: [Int], vetoing vetoes: Set<Int> = []) {
    latches = Dictionary(uniqueKeysWithValues: values.map { ($0, Latch()) })
    self.vetoes = vetoes
  }
  func answer(_ value: Int) { latches[value]?.open() }

  /// On the main actor, so that code that waits there for the answer runs after the code that asked.
  @MainActor func check(_ value: Int) async throws {
    asked(value)
    await latches[value]?.wait()
    answered(value)
    if vetoes.contains(value) { throw Veto(value: value) }
  }
}

@MainActor @Suite("Late validators", .timeLimit(.minutes(20)))
struct LateValidatorTests {
  let count = Observed(0)
  let field = MemoryTextControl()

  func interactor(_ actor: TestActor, _ policy: CommitPolicy = .atEnd) -> Interactor<Int> {
    Interactor(
      count, in: field, as: Grouped(), committing: policy,
      validators: [.later { try await actor.check($0) }, .require("Below a hundred.") { $0 < 100 }])
  }

  @Test("it is asked when all others have passed, and what waits is not valid yet")
  func asked() async throws {
    let actor = TestActor([7])
    let interactor = interactor(actor)
    #expect(interactor.isValid.value && !interactor.isChecking.value, "the model's value is not asked about")
    field.selectAll()
    field.paste("700")
    #expect(!interactor.isChecking.value && interactor.explanation.value == "Below a hundred.")
    field.selectAll()
    field.paste("7")
    #expect(interactor.isChecking.value && !interactor.isValid.value && interactor.error.value == nil)
    #expect(throws: ValidationPending()) { try interactor.commit() }
    actor.answer(7)
    await interactor.idle()
    #expect(interactor.isValid.value && actor.asked.values == [7] && count.value == 0)
    try interactor.commit()
    #expect(count.value == 7)
  }

  @Test("an end of editing meanwhile takes effect when the answer comes")
  func endingEarly() async {
    let actor = TestActor([7])
    let interactor = interactor(actor)
    let written = count.record()
    field.selectAll()
    field.paste("07")
    field.end()
    #expect(count.value == 0 && field.text == "07" && interactor.isEdited.value)
    actor.answer(7)
    await interactor.idle()
    #expect(written.values.map(\.new) == [7] && field.text == "7" && !interactor.isEdited.value)
  }

  @Test("a newer draft is checked again, and the answer about the older is not received, in either order")
  func olderAnswers() async {
    for isEarly in [true, false] {
      count.set(0)
      let actor = TestActor([1, 12], vetoing: isEarly ? [1] : [])
      let interactor = interactor(actor, .everyChange)
      let written = count.record()
      field.selectAll()
      field.type("1")
      _ = await actor.asked.values(atLeast: 1)
      field.type("2")
      if isEarly {
        actor.answer(1)
        _ = await actor.answered.values(atLeast: 1)
        #expect(interactor.isChecking.value && interactor.error.value == nil)
      }
      actor.answer(12)
      await interactor.idle()
      actor.answer(1)
      _ = await actor.answered.values(atLeast: 2)
      #expect(interactor.isValid.value && written.values.map(\.new) == [12])
    }
  }

  @Test("the older check's task is cancelled")
  func cancelling() async {
    let ended = Recorder<Int>()
    let never = Event<Int>("never")
    let interactor = Interactor(
      count, in: field, as: Grouped(),
      validators: [
        .later { value in
          // Ends by nothing but its cancellation.
          for await _ in never.stream() {}
          ended(value)
        }
      ])
    field.selectAll()
    field.type("12")
    #expect(await ended.values(atLeast: 1) == [1])
    interactor.revert()
    #expect(await ended.values(atLeast: 2) == [1, 12])
    #expect(!interactor.isChecking.value && interactor.isValid.value)
  }

  @Test("revert, typing back and deactivating end the check; activating takes it up again")
  func ending() async {
    let actor = TestActor([7, 8])
    let interactor = interactor(actor, .explicitly)
    field.type("7")
    #expect(interactor.isChecking.value)
    interactor.revert()
    #expect(!interactor.isChecking.value && interactor.isValid.value && field.text == "0")
    field.selectAll()
    field.type("7")
    field.selectAll()
    field.type("0")
    #expect(!interactor.isChecking.value && !interactor.isEdited.value)
    field.selectAll()
    field.type("8")
    interactor.deactivate()
    #expect(!interactor.isChecking.value && interactor.draft.value == "8")
    interactor.activate()
    #expect(interactor.isChecking.value)
    actor.answer(8)
    await interactor.idle()
    #expect(interactor.isValid.value && interactor.isEdited.value)
  }

  @Test("a check that never answers keeps no interactor alive")
  func leaks() async {
    let actor = TestActor([7])
    weak var released: Interactor<Int>?
    do {
      let interactor = interactor(actor)
      released = interactor
      field.type("7")
      _ = await actor.asked.values(atLeast: 1)
      #expect(released != nil)
      withExtendedLifetime(interactor) {}
    }
    #expect(released == nil)
    actor.answer(7)
    _ = await actor.answered.values(atLeast: 1)
    #expect(count.value == 0)
  }

  @Test("a draft that was not checked is not written: a commit has it checked first")
  func unchecked() async {
    struct Stop: Error {}
    let actor = TestActor([7], vetoing: [7])
    let interactor = interactor(actor, .explicitly)
    field.selectAll()
    field.paste("7")
    interactor.deactivate()
    #expect(throws: ValidationPending()) { try interactor.commit() }
    actor.answer(7)
    await interactor.idle()
    #expect(throws: TestActor.Veto(value: 7)) { try interactor.commit() }
    // Taken back, but not what the veto was about.
    #expect(throws: Stop.self) {
      try transaction {
        interactor.revert()
        throw Stop()
      }
    }
    #expect(throws: ValidationPending()) { try interactor.commit() }
    await interactor.idle()
    #expect(throws: TestActor.Veto(value: 7)) { try interactor.commit() }
    #expect(count.value == 0 && interactor.draft.value == "7")
  }

  @Test("a value that passes late is put to the quick validators once more before it is written")
  func rulesMeanwhile() async {
    let (actor, limit) = (TestActor([7]), Observed(100))
    let interactor = Interactor(
      count, in: field, as: Grouped(),
      validators: [.require("Too much.") { $0 < limit.value }, .later { try await actor.check($0) }])
    field.selectAll()
    field.paste("7")
    field.end()
    limit.set(5)
    actor.answer(7)
    await interactor.idle()
    #expect(count.value == 0 && interactor.explanation.value == "Too much." && field.text == "7")
  }

  @Test("waiting for a check ends with the waiter's task")
  func settling() async {
    let actor = TestActor([7])
    let interactor = interactor(actor)
    field.type("7")
    let waiting = Task { await interactor.idle() }
    waiting.cancel()
    await waiting.value
    #expect(interactor.isChecking.value)
    actor.answer(7)
  }
}
