import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Form", .timeLimit(.minutes(20)))
struct FormTests {
  let low = Observed(1)
  let high = Observed(9)
  let name = Observed("range")
  let fields = [MemoryTextControl(), MemoryTextControl(), MemoryTextControl()]
  let form: Form

  init() {
    form = Form(
      Interactor(
        low, in: fields[0], as: Grouped(), committing: .explicitly, validators: [.require("Small.") { $0 < 50 }]),
      Interactor(high, in: fields[1], as: Grouped(), committing: .explicitly),
      Interactor(name, in: fields[2], as: Trimmed(), committing: .explicitly))
    form.require { [low, high] in
      if low.value > high.value { throw InputRejection(.other, "\(low.value) is above \(high.value).") }
    }
  }
  func put(_ text: String, _ index: Int) {
    fields[index].selectAll()
    fields[index].paste(text)
    fields[index].end()
  }

  @Test("all is written in one transaction: handlers see all of it")
  func asOne() throws {
    let seen = Recorder<String>()
    let look: @Sendable () -> Void = { [low, high, name, form] in
      seen("\(low.value) \(high.value) \(name.value) \(form.isEdited.value)")
    }
    put("20", 0)
    put("30", 1)
    put(" wide ", 2)
    #expect(form.isEdited.value && form.isValid.value)
    let tokens = [low.observe { _ in look() }, high.observe { _ in look() }, name.observe { _ in look() }]
    try form.commit()
    #expect(seen.values == Array(repeating: "20 30 wide false", count: 3))
    #expect(fields.map(\.text) == ["20", "30", "wide"])
    withExtendedLifetime(tokens) {}
  }

  @Test("if one draft cannot be committed nothing is written, and all reasons are thrown")
  func noneOfThem() {
    let written = [low.record(), high.record()]
    put("60", 0)
    put("70", 1)
    put("", 2)
    #expect(!form.isValid.value && form.explanations.value == ["Small.", "Nothing."])
    let error = #expect(throws: FormErrors.self) { try form.commit() }
    #expect(error?.errors.count == 2 && "\(error as Any)".contains("Small.\nNothing."))
    #expect(written.allSatisfy { $0.values.isEmpty } && fields.map(\.text) == ["60", "70", ""])
    form.revert()
    #expect(fields.map(\.text) == ["1", "9", "range"] && form.isValid.value && !form.isEdited.value)
  }

  @Test("a rule sees the values as they would be, and if it objects no reader elsewhere has")
  func rules() {
    let seen = Recorder<Int>()
    let tokens = [low.observe { seen($0.new) }, high.observe { seen($0.new) }]
    put("40", 0)
    put("30", 1)
    #expect(form.isValid.value)
    let error = #expect(throws: FormErrors.self) { try form.commit() }
    #expect(error?.description == "40 is above 30.")
    #expect(seen.values.isEmpty && low.value == 1 && fields.map(\.text) == ["40", "30", "range"])
    #expect(form.isEdited.value)
    put("41", 1)
    #expect(throws: Never.self) { try form.commit() }
    #expect(seen.values == [40, 41])
    withExtendedLifetime(tokens) {}
  }

  @Test("validity, edits and errors are values that notify, also of what is added later")
  func observing() {
    let notified = form.isValid.record()
    let other = MemoryTextControl()
    form.add(Interactor(Observed(0), in: other, as: Grouped(), committing: .explicitly))
    put("", 0)
    put("2", 0)
    other.clear()
    other.end()
    #expect(notified.values.map(\.new) == [false, true, false] && form.errors.value.count == 1)
  }

  @Test("a draft that is still being checked keeps the form from being written, until it has settled")
  func checking() async throws {
    let actor = TestActor([7])
    let (count, field) = (Observed(0), MemoryTextControl())
    form.add(
      Interactor(
        count, in: field, as: Grouped(), committing: .explicitly, validators: [.later { try await actor.check($0) }]))
    put("3", 0)
    field.selectAll()
    field.paste("7")
    #expect(form.isChecking.value && !form.isValid.value)
    let error = #expect(throws: FormErrors.self) { try form.commit() }
    #expect(error?.errors.first is ValidationPending && low.value == 1)
    actor.answer(7)
    await form.idle()
    try form.commit()
    #expect(low.value == 3 && count.value == 7)
  }

  @Test("it is released with its interactors, soon if something is being computed elsewhere")
  func isReleased() async throws {
    let canaries = Canaries()
    do {
      let asking = Validator<Int>.require("Any.") { [canary = canaries.make()] _ in
        canary.touch()
        return true
      }
      let form = Form(Interactor(low, in: fields[0], as: Grouped(), validators: [asking]))
      try form.commit()
    }
    #expect(await canaries.quiesce())
  }
}
