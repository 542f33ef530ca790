import Testing
import Tidings
import TidingsCollections
import TidingsInteractors
import TidingsState
import TidingsTesting

@MainActor @Suite("Element of a collection", .timeLimit(.minutes(20)))
struct ElementTests {
  struct Row: Identifiable, Equatable, Sendable {
    let id: Int
    var name: String
    var count: Int
  }
  let rows = ObservedArray([Row(id: 1, name: "ada", count: 1), Row(id: 2, name: "grace", count: 2)])
  let field = MemoryTextControl()

  private func row() throws -> Projection<Row> { try #require(Projection(rows.reference(to: 2))) }
  private func count(_ policy: CommitPolicy = .explicitly) throws -> Interactor<Int> {
    Interactor(try row().count, in: field, as: Grouped(), committing: policy)
  }

  @Test("a field of a row is written with one edit, and what others have set beside it is kept")
  func oneEdit() throws {
    let interactor = try count()
    let edits = Recorder<Int>()
    let following = rows.differences.observe { edits($0.isReset ? -1 : $0.edits.count) }
    field.type("5")
    rows.updateElement(for: 2) { $0?.name = "hopper" }
    #expect(interactor.isValid.value && interactor.conflict.value == nil)
    try interactor.commit()
    #expect(rows.value == [Row(id: 1, name: "ada", count: 1), Row(id: 2, name: "hopper", count: 25)])
    #expect(edits.values == [1, 1])
    try interactor.commit()
    #expect(edits.values == [1, 1], "nothing was edited since")
    withExtendedLifetime(following) {}
  }

  @Test("a row that is moved is edited on, and nothing about it has changed")
  func moved() throws {
    let interactor = try count()
    let changes = interactor.committed.record()
    field.type("5")
    rows.edit { $0.move(from: 1, to: 0) }
    rows.append(Row(id: 3, name: "alan", count: 3))
    #expect(changes.values.isEmpty && interactor.isValid.value)
    try interactor.commit()
    #expect(rows.value.map(\.count) == [25, 1, 3])
  }

  @Test("a field of a row that is set elsewhere is a conflict")
  func conflict() throws {
    let interactor = try count()
    field.type("5")
    rows.updateElement(for: 2) { $0?.count = 9 }
    #expect(interactor.conflict.value == 9)
    #expect(throws: EditConflict.self) { try interactor.commit() }
    interactor.keepMine()
    try interactor.commit()
    #expect(rows.value.map(\.count) == [1, 25])
  }

  @Test(
    "a row that is removed while it is edited keeps its draft and rejects it with a reason, until the row is back",
    arguments: [CommitPolicy.atEnd, .everyChange, .explicitly])
  func removed(_ policy: CommitPolicy) throws {
    let history = History(of: rows)
    let interactor = try count(policy)
    field.type("5")
    rows.removeAll { $0.id == 2 }
    field.type("6")
    #expect(interactor.error.value is ElementRemoved && !interactor.isValid.value)
    #expect(interactor.explanation.value == "Meanwhile this was removed elsewhere.")
    #expect(throws: ElementRemoved.self) { try interactor.commit() }
    let error = #expect(throws: FormErrors.self) { try Form(interactor).commit() }
    #expect(error?.errors.map { $0 is ElementRemoved } == [true])
    field.end()
    #expect(field.text == "256" && interactor.isEdited.value && rows.value.map(\.id) == [1])
    history.undo()
    #expect(interactor.isValid.value && interactor.conflict.value == nil)
    try interactor.commit()
    #expect(rows.value.last == Row(id: 2, name: "grace", count: 256) && field.text == "256")
    #expect(!interactor.isEdited.value)
  }

  @Test("a draft of a removed row can be discarded, and one that was not edited has no error")
  func discarded() throws {
    let interactor = try count()
    field.type("5")
    rows.remove(at: 1)
    #expect(!interactor.isValid.value)
    interactor.revert()
    #expect(interactor.isValid.value && field.text == "2" && interactor.committed.value == 2)
    try interactor.commit()
    let isMissing = Projection(rows.reference(to: 2)) == nil
    #expect(isMissing && rows.value.map(\.id) == [1])
    rows.append(Row(id: 2, name: "new", count: 7))
    field.end()
    #expect(field.text == "7" && rows.value.map(\.count) == [1, 7])
  }
  @Test("what writes a row directly does nothing once the row is removed")
  func directly() throws {
    let row = try row()
    row.count.set(5)
    #expect(row.count.value == 5 && rows.value.map(\.count) == [1, 5])
    rows.remove(at: 1)
    row.count.set(6)
    row.set(Row(id: 2, name: "back", count: 7))
    #expect(rows.value.map(\.id) == [1] && row.count.value == 5)
  }

  @Test("a form whose row another thread removes while it commits writes nothing, and says why")
  func removedMeanwhile() throws {
    let (title, others) = (Observed("title"), [MemoryTextControl(), MemoryTextControl()])
    let form = Form(
      try count(), Interactor(try row().name, in: others[0], as: Trimmed(), committing: .explicitly),
      Interactor(title, in: others[1], as: Trimmed(), committing: .explicitly))
    form.require { [rows] in
      Threads.elsewhere { rows.removeAll { $0.id == 2 } }
    }
    field.type("5")
    others[1].type("s")
    let error = #expect(throws: FormErrors.self) { try form.commit() }
    #expect(error?.errors.map { $0 is ElementRemoved } == [true])
    #expect(title.value == "title" && rows.value.map(\.id) == [1] && form.isEdited.value)
    #expect(field.text == "25" && others[1].text == "titles")
  }

  @Test("an element of a dictionary is edited by its key")
  func dictionary() throws {
    let prices = ObservedDictionary(["a": 1, "b": 2])
    let interactor = Interactor(
      try #require(Projection(prices.reference(to: "b"))), in: field, as: Grouped(), committing: .explicitly)
    field.type("5")
    prices.set(7, for: "a")
    try interactor.commit()
    #expect(prices.value == ["a": 7, "b": 25])
    field.type("0")
    prices.remove("b")
    #expect(interactor.error.value is ElementRemoved)
    prices.set(25, for: "b")
    #expect(interactor.isValid.value)
    try interactor.commit()
    #expect(prices.value == ["a": 7, "b": 250])
  }
}
