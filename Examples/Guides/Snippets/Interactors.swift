// The code that the guide and the documentation comments show of interactors, as one program.
import Foundation
import Tidings
import TidingsCollections
import TidingsInteractors

struct Position: Identifiable, Equatable, Sendable {
  let id: Int
  var quantity: Int
}
struct Address: Equatable, Sendable {
  var street: String
  var number: Int
}
struct Person: Equatable, Sendable {
  var name: String
  var address: Address
}
enum Margin: Error { case negative }
actor Firm {
  func approve(_ price: Decimal) throws {}
}
@MainActor final class Label { var text = "" }
@MainActor final class Button {
  var isEnabled = false
  func onPress(_ action: @escaping @MainActor () -> Void) {}
}
@MainActor final class Choice { var isVisible = false }

// MARK: The smallest

@MainActor func overview() {
  let field = MemoryTextControl()
  let price = Observed(Decimal(12))
  let interactor = Interactor(price, in: field, as: .decimal(locale: Locale(identifier: "de_DE")))

  print(field.text)  // 12,0
  field.selectAll()
  field.type("1234,5")
  print(field.text)  // 1.234,5
  field.end()
  print(price.value)  // 1234.5
  price.set(7)
  print(field.text)  // 7,0
  field.deleteBackward()
  withExtendedLifetime(interactor) {}
}
@MainActor func typing(_ price: Observed<Decimal>, _ format: DecimalFormat) {
  let field = MemoryTextControl()
  let interactor = Interactor(price, in: field, as: format)
  field.type("12")
  field.deleteBackward()
  field.end()
  withExtendedLifetime(interactor) {}
}
@MainActor func explaining(_ price: Observed<Double>, _ field: some TextControl, _ format: some TextFormat<Double>) {
  let hint = Label()
  let interactor = Interactor(price, in: field, as: format, validators: [.require("Above zero, please.") { $0 > 0 }])
  let subscription = interactor.explanation.observe(.initial) { change in hint.text = change.new ?? "" }
  subscription.cancel()
}

// MARK: When it is written

@MainActor func committing(_ price: Observed<Decimal>, _ field: some TextControl) throws {
  let live = Interactor(price, in: field, as: .decimal(), committing: .everyChange)
  live.deactivate()
  let interactor = Interactor(price, in: field, as: .decimal(), committing: .explicitly)
  try interactor.commit()
  interactor.revert()
}

// MARK: Conflicts

@MainActor func resolving(_ interactor: Interactor<Decimal>) {
  let (choice, keep, take) = (Choice(), Button(), Button())
  let subscription = interactor.conflict.observe { change in choice.isVisible = change.new != nil }
  keep.onPress { interactor.keepMine() }
  take.onPress { interactor.takeTheirs() }
  subscription.cancel()
}
@MainActor func resolving(_ form: Form) {
  let (choice, keep, take) = (Choice(), Button(), Button())
  let subscription = form.hasConflict.observe(.initial) { change in choice.isVisible = change.new }
  keep.onPress { form.keepMine() }
  take.onPress { form.takeTheirs() }
  subscription.cancel()
}

// MARK: Validators

@MainActor func validating(_ price: Observed<Decimal>, _ field: some TextControl, _ cost: Observed<Decimal>)
  async throws
{
  let firm = Firm()
  let validators: [Validator<Decimal>] = [
    .require("A price is above zero.") { $0 > 0 },
    Validator { price throws(Margin) in if price < cost.value { throw Margin.negative } },
    .later { price in try await firm.approve(price) },
  ]
  let interactor = Interactor(price, in: field, as: .decimal(), committing: .explicitly, validators: validators)
  await interactor.idle()
  try interactor.commit()
}

actor Server {
  func check(_ name: String) throws {}
}
func debouncing(_ server: Server) -> [Validator<String>] {
  let validators: [Validator<String>] = [
    .require("A name has at least three letters.") { $0.count >= 3 },
    .later { name in
      try await Task.sleep(for: .milliseconds(300))
      try await server.check(name)
    },
  ]
  return validators
}

// MARK: Parts

@MainActor func parts(_ field: some TextControl) {
  let person = Observed(Person(name: "Ada", address: Address(street: "St James's Square", number: 12)))
  let street = Projection(person).address.street  // Projection<String>
  street.set("Dorset Street")
  let interactor = Interactor(Projection(person).address.street, in: field, as: .text)
  interactor.deactivate()
}

// MARK: Elements of collections

@MainActor func elements(_ positions: ObservedArray<Position>, _ id: Int, _ field: some TextControl) {
  do {
    let quantity = Projection(positions.reference(to: id))?.quantity  // Projection<Int>?
    quantity?.set(2)
  }
  guard let position = Projection(positions.reference(to: id)) else { return }
  let quantity = Interactor(position.quantity, in: field, as: .integer(), committing: .explicitly)
  quantity.deactivate()
}

// MARK: Forms

@MainActor func forms(_ person: Observed<Person>, _ low: Observed<Int>, _ high: Observed<Int>) throws {
  let fields = [MemoryTextControl(), MemoryTextControl(), MemoryTextControl()]
  let saveButton = Button()
  let name = Interactor(Projection(person).name, in: fields[0], as: .text, committing: .explicitly)
  let street = Interactor(Projection(person).address.street, in: fields[1], as: .text, committing: .explicitly)
  let number = Interactor(Projection(person).address.number, in: fields[2], as: .integer(), committing: .explicitly)
  let form = Form(name, street, number)
  let subscription = form.isValid.observe(.initial) { change in saveButton.isEnabled = change.new }
  form.require { if low.value > high.value { throw InputRejection(.other, "The lower one is above the upper one.") } }
  try form.commit()
  form.revert()
  subscription.cancel()
}

@MainActor func passwords() {
  let fields = [MemoryTextControl(), MemoryTextControl()]
  let password = Interactor(Observed(""), in: fields[0], as: .text, committing: .explicitly)
  let repeated = Interactor(Observed(""), in: fields[1], as: .text, committing: .explicitly)
  let form = Form(password, repeated)
  let agree = Derived { [first = password.draft, second = repeated.draft] in first.value == second.value }
  let canSubmit = Derived { form.isValid.value && agree.value }
  print(canSubmit.value)
}

// MARK: Two values

func binding(_ volume: Observed<Double>, _ slider: Observed<Double>) {
  let bond = bind(volume, slider)
  bond.cancel()
}
func converting(_ price: Observed<Decimal>, _ text: Observed<String>, _ format: DecimalFormat) {
  let celsius = Conversion<Double, Double>(to: { $0 - 273.15 }, from: { $0 + 273.15 })
  let bond = bind(price, text, via: Conversion(format))
  let subscription = bond.error.observe { change in print(change.new ?? "all is well") }
  subscription.cancel()
  withExtendedLifetime(celsius) {}
}

let price = Observed(Decimal(string: "12.5") ?? 0)
let format = DecimalFormat(locale: Locale(identifier: "de_DE"))
let field = MemoryTextControl()
overview()
typing(price, format)
explaining(Observed(1.5), field, Doubles())
try committing(price, field)
try await validating(price, field, Observed(Decimal(1)))
parts(field)
elements(ObservedArray([Position(id: 1, quantity: 1)]), 1, field)
let ada = Observed(Person(name: "Ada", address: Address(street: "St James's Square", number: 12)))
try forms(ada, Observed(1), Observed(9))
binding(Observed(0.5), Observed(0.0))
converting(price, Observed(""), format)

/// A format of one's own.
struct Doubles: TextFormat {
  func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText { .applying(edit, to: text) }
  func parse(_ text: String) throws(InputRejection) -> Double {
    guard let value = Double(text) else { throw InputRejection(.incomplete, "“\(text)” is no number.") }
    return value
  }
  func format(_ value: Double) -> String { "\(value)" }
}
