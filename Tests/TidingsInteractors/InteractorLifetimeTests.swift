import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Interactor: threads and lifetime", .timeLimit(.minutes(20)))
struct InteractorLifetimeTests {
  let price = Observed(1.2345)
  let field = MemoryTextControl()

  @Test(
    "while threads write and a user types, leaves and resolves conflicts, control and value end with equal contents")
  func threadsAndTyping() async {
    let interactor = Interactor(price, in: field, as: Rounded())
    let price = price
    await withTaskGroup(of: Void.self) { group in
      for thread in 1...3 {
        group.addTask { for number in 1...100 { price.set(Double(thread * 1000 + number)) } }
      }
      for number in 1...50 {
        field.selectAll()
        field.type("\(number).5")
        await Task.yield()
        #expect(field.text == "\(number).5", "no write moves the text under the caret")
        field.end()
        #expect(interactor.conflict.value == nil || field.text == "\(number).5", "no write replaces the draft")
        number % 2 == 0 ? interactor.keepMine() : interactor.takeTheirs()
      }
    }
    // A thread may have written once more since then.
    if interactor.isEdited.value { interactor.revert() }
    let shown = Rounded().format(price.value)
    for await draft in interactor.draft.stream(.latest) where draft == shown { break }
    #expect(field.text == shown && !interactor.isEdited.value)
  }

  @Test("deactivated it receives nothing and keeps its draft; both may be done twice")
  func deactivating() {
    let interactor = Interactor(price, in: field, as: Rounded(), committing: .explicitly)
    field.selectAll()
    field.type("3")
    interactor.deactivate()
    interactor.deactivate()
    #expect(!interactor.isActive && field.shouldChange.diagnostics.subscriptions.isEmpty)
    field.type("x")
    price.set(8)
    #expect(field.text == "3x" && interactor.draft.value == "3" && interactor.isEdited.value)
    interactor.activate()
    interactor.activate()
    #expect(field.text == "3" && field.shouldChange.diagnostics.subscriptions.count == 1)
    interactor.revert()
    #expect(field.text == "8.00")
  }

  @Test("dropped, it leaves nothing on the property and is not retained")
  func leaks() throws {
    weak var released: Interactor<Double>?
    try expectNoLeakedSubscriptions {
      let interactor = Interactor(price, in: field, as: Rounded())
      released = interactor
      field.selectAll()
      field.type("3")
    }
    #expect(released == nil && price.diagnostics.count == 0)
    field.type("4x")
    field.end()
    #expect(field.text == "34x" && price.value == 1.2345)
    #expect(field.shouldChange.diagnostics.subscriptions.isEmpty)
  }

  @Test("nothing is kept alive by what can be seen of it")
  func controlIsReleased() {
    weak var control: MemoryTextControl?
    weak var property: Observed<Double>?
    do {
      let (field, price) = (MemoryTextControl(), Observed(1.0))
      (control, property) = (field, price)
      let interactor = Interactor(price, in: field, as: Rounded())
      field.type("1")
      interactor.revert()
    }
    #expect(control == nil && property == nil)
  }
}
