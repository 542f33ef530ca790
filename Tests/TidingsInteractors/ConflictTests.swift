import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Conflict", .timeLimit(.minutes(20)))
struct ConflictTests {
  let price = Observed(1.5)
  let field = MemoryTextControl()

  private func interactor(_ policy: CommitPolicy, _ validators: [Validator<Double>] = []) -> Interactor<Double> {
    Interactor(price, in: field, as: Rounded(), committing: policy, validators: validators)
  }
  private func replace(_ text: String) {
    field.selectAll()
    field.type(text)
  }

  @Test(
    "a value that is set elsewhere while its field is edited is not overwritten: it is said, until one is chosen",
    arguments: [CommitPolicy.atEnd, .everyChange, .explicitly])
  func isSaid(_ policy: CommitPolicy) {
    let interactor = interactor(policy)
    let said = interactor.conflict.record()
    field.begin()
    price.set(9)
    #expect(interactor.conflict.value == nil && interactor.isValid.value && !interactor.isEdited.value)
    replace("7")
    #expect(interactor.conflict.value == 9 && !interactor.isValid.value && price.value == 9)
    #expect(interactor.error.value as? EditConflict != nil && interactor.explanation.value?.contains("“9.00”") == true)
    #expect(throws: EditConflict.self) { try interactor.commit() }
    #expect(throws: FormErrors.self) { try Form(interactor).commit() }
    field.end()
    #expect(field.text == "7" && price.value == 9 && interactor.isEdited.value)
    price.set(10)
    #expect(said.values.map(\.new) == [9, 10] && interactor.explanation.value?.contains("“10.00”") == true)
    interactor.keepMine()
    #expect(interactor.conflict.value == nil && interactor.isValid.value)
    #expect(price.value == (policy == .explicitly ? 10 : 7))
    try? interactor.commit()
    #expect(price.value == 7 && field.text == "7.00" && !interactor.isEdited.value)
    interactor.keepMine()
    interactor.takeTheirs()
    #expect(price.value == 7 && field.text == "7.00")
  }

  @Test("taking the other value discards the draft, also while it is edited", arguments: [false, true])
  func taken(_ isLeft: Bool) {
    let interactor = interactor(.atEnd)
    replace("7")
    price.set(9)
    if isLeft { field.end() }
    interactor.takeTheirs()
    #expect(field.text == "9.00" && price.value == 9 && interactor.conflict.value == nil && interactor.isValid.value)
    #expect(!interactor.isEdited.value)
    replace("8")
    field.end()
    #expect(price.value == 8, "the next edit is of the value that was taken")
  }

  @Test("it is over when the property has its value again, or the value of the draft")
  func over() {
    let interactor = interactor(.atEnd)
    replace("7")
    price.set(9)
    #expect(!interactor.isValid.value)
    price.set(1.5)
    #expect(interactor.isValid.value && interactor.conflict.value == nil)
    price.set(9)
    price.set(7)
    #expect(interactor.isValid.value && interactor.conflict.value == nil)
    price.set(8)
    replace("8")
    #expect(interactor.isValid.value && interactor.conflict.value == nil)
    field.end()
    #expect(price.value == 8 && field.text == "8.00" && !interactor.isEdited.value)
  }

  @Test("keeping the draft leaves it to its policy while the field is edited, and a later value is a new conflict")
  func keptMeanwhile() {
    let interactor = interactor(.atEnd)
    replace("7")
    price.set(9)
    interactor.keepMine()
    #expect(price.value == 9 && interactor.isValid.value)
    price.set(10)
    #expect(interactor.conflict.value == 10)
    interactor.keepMine()
    #expect(field.pressReturn() && price.value == 7)
  }

  @Test("what a handler of the property makes of a value that was typed is no conflict")
  func corrected() throws {
    let (left, right) = (Observed(1), Observed(1))
    let subscription = left.observe { [left] change in if change.new > 5 { left.set(5) } }
    let live = Interactor(left, in: field, as: Grouped(), committing: .everyChange)
    for key in ["8", "9", "1"] { field.type(key) }
    #expect(live.conflict.value == nil && left.value == 5 && field.text == "1'891")
    left.set(3)
    field.type("2")
    #expect(live.conflict.value == 3)
    live.deactivate()
    let other = MemoryTextControl()
    let interactor = Interactor(left, in: other, as: Grouped(), committing: .explicitly)
    let form = Form(interactor, Interactor(right, in: MemoryTextControl(), as: Grouped(), committing: .explicitly))
    other.type("7")
    try form.commit()
    other.type("8")
    #expect(left.value == 5 && interactor.conflict.value == nil)
    try form.commit()
    withExtendedLifetime(subscription) {}
  }

  @Test("a form commits every draft, or reports the conflict and writes none")
  func forms() throws {
    let name = Observed("ada")
    let other = MemoryTextControl()
    let interactor = interactor(.explicitly)
    let form = Form(interactor, Interactor(name, in: other, as: Trimmed(), committing: .explicitly))
    replace("7")
    other.type("x")
    price.set(9)
    #expect(!form.isValid.value && form.explanations.value.count == 1)
    let error = #expect(throws: FormErrors.self) { try form.commit() }
    #expect(error?.errors.first is EditConflict && name.value == "ada" && price.value == 9)
    interactor.keepMine()
    try form.commit()
    #expect(price.value == 7 && name.value == "adax")
  }

  @Test(
    "a form resolves the conflicts of all its fields at once, and leaves its other drafts alone",
    arguments: [true, false])
  func formsResolve(_ keepsMine: Bool) throws {
    let (name, count) = (Observed("ada"), Observed(1))
    let others = [MemoryTextControl(), MemoryTextControl()]
    let form = Form(
      interactor(.explicitly), Interactor(name, in: others[0], as: Trimmed(), committing: .explicitly),
      Interactor(count, in: others[1], as: Grouped(), committing: .explicitly))
    let said = form.hasConflict.record()
    form.keepMine()
    form.takeTheirs()
    replace("7")
    others[0].type("x")
    others[1].type("2")
    price.set(9)
    name.set("grace")
    #expect(form.hasConflict.value && !form.isValid.value)
    #expect(throws: FormErrors.self) { try form.commit() }
    keepsMine ? form.keepMine() : form.takeTheirs()
    #expect(said.values.map(\.new) == [true, false], "both conflicts end in one change")
    #expect(form.isValid.value && price.value == 9 && name.value == "grace" && count.value == 1)
    price.set(10)
    #expect(form.hasConflict.value == keepsMine, "a later value is a new conflict with a draft that was kept")
    form.keepMine()
    try form.commit()
    #expect(price.value == (keepsMine ? 7 : 10) && name.value == (keepsMine ? "adax" : "grace") && count.value == 12)
  }

  @Test("fields that commit by themselves are written in one transaction when a form keeps their drafts")
  func formsKeep() {
    let name = Observed("ada")
    let (other, seen) = (MemoryTextControl(), Recorder<String>())
    let form = Form(interactor(.atEnd), Interactor(name, in: other, as: Trimmed()))
    replace("7")
    other.type("x")
    price.set(9)
    name.set("grace")
    for field in [field, other] { field.end() }
    let look: @Sendable () -> Void = { [price] in seen("\(price.value) \(name.value)") }
    let tokens = [price.observe { _ in look() }, name.observe { _ in look() }]
    form.keepMine()
    #expect(seen.values == ["7.0 adax", "7.0 adax"] && !form.isEdited.value && !form.hasConflict.value)
    withExtendedLifetime(tokens) {}
  }

  @Test("a commit that a form's rule has rejected hides no conflict that comes afterwards")
  func afterRejection() {
    let interactor = interactor(.explicitly)
    let form = Form(interactor)
    form.require { throw InputRejection(.other, "No.") }
    replace("7")
    #expect(throws: FormErrors.self) { try form.commit() }
    price.set(9)
    #expect(interactor.conflict.value == 9 && !form.isValid.value)
    replace("8")
    #expect(interactor.conflict.value == 9 && price.value == 9, "typing on does not resolve it")
  }

  @Test("asynchronous validators are not asked while there is a conflict, and are once it is resolved")
  func later() async {
    let actor = TestActor([7])
    let count = Observed(1)
    let interactor = Interactor(
      count, in: field, as: Grouped(), validators: [.later { try await actor.check($0) }])
    field.selectAll()
    field.type("7")
    #expect(interactor.isChecking.value)
    count.set(3)
    #expect(!interactor.isChecking.value && interactor.conflict.value == 3)
    field.end()
    interactor.keepMine()
    #expect(interactor.isChecking.value && count.value == 3)
    actor.answer(7)
    await interactor.idle()
    #expect(count.value == 7 && interactor.conflict.value == nil)
  }

  @Test("a part of a value is in conflict only with a change of that part")
  func parts() {
    struct Point: Equatable, Sendable { var (x, y) = (1, 2) }
    let point = Observed(Point())
    let interactor = Interactor(Projection(point).x, in: field, as: Grouped())
    field.type("5")
    point.update { $0.y = 3 }
    #expect(interactor.conflict.value == nil)
    point.update { $0.x = 4 }
    #expect(interactor.conflict.value == 4)
    interactor.deactivate()
    point.update { $0.x = 6 }
    interactor.activate()
    #expect(interactor.conflict.value == 6 && field.text == "15" && !interactor.isValid.value)
  }
}
