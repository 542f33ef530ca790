import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Nested interactors", .timeLimit(.minutes(20)))
struct NestedInteractorTests {
  struct Address: Equatable, Sendable {
    var street: String
    var number: Int
  }
  struct Person: Equatable, Sendable {
    var name: String
    var address: Address
  }
  let person = Observed(Person(name: "Ada", address: Address(street: "St James's Square", number: 12)))

  @Test("a part of a part is written as one change of the whole, and other parts stay")
  func parts() {
    let (street, number) = (MemoryTextControl(), MemoryTextControl())
    let interactors: [Any] = [
      Interactor(Projection(person).address.street, in: street, as: Trimmed()),
      Interactor(Projection(person).address.number, in: number, as: Grouped()),
    ]
    let written = person.record()
    street.clear()
    street.type(" Dorset Street ")
    number.selectAll()
    number.type("1234")
    person.update { $0.name = "Augusta" }
    street.end()
    #expect(street.text == "Dorset Street")
    number.end()
    #expect(person.value == Person(name: "Augusta", address: Address(street: "Dorset Street", number: 1234)))
    #expect(number.text == "1'234" && written.values.count == 3)
    withExtendedLifetime(interactors) {}
  }

  @Test(
    "two interactors on one property follow each other, a draft in one stays, and which of two values counts is asked")
  func twoOnOne() {
    let (left, right) = (MemoryTextControl(), MemoryTextControl())
    let price = Observed(1.0)
    let interactors = (
      Interactor(price, in: left, as: Rounded()),
      Interactor(price, in: right, as: Rounded(), committing: .everyChange)
    )
    let written = price.record()
    right.selectAll()
    right.type("25")
    #expect(left.text == "25.00" && right.text == "25" && written.values.map(\.new) == [2, 25])
    left.selectAll()
    left.type("7")
    right.type("0")
    #expect(left.text == "7" && price.value == 250)
    right.end()
    left.end()
    #expect(price.value == 250 && left.text == "7" && interactors.0.conflict.value == 250)
    interactors.0.keepMine()
    #expect(price.value == 7 && right.text == "7.00" && left.text == "7.00" && written.values.count == 4)
    withExtendedLifetime(interactors) {}
  }

  @Test("two interactors in one control write both properties, each as it understands the text")
  func oneControl() {
    let field = MemoryTextControl()
    let (count, name) = (Observed(0), Observed("unnamed"))
    let interactors = (Interactor(count, in: field, as: Grouped()), Interactor(name, in: field, as: Trimmed()))
    field.clear()
    field.type("1234")
    #expect(interactors.0.draft.value == "1'234" && interactors.1.draft.value == "1'234")
    field.end()
    #expect(count.value == 1234 && name.value == "1'234")
  }
}
