import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Interactor: validation", .timeLimit(.minutes(20)))
struct InteractorValidationTests {
  enum Margin: Error, Equatable { case negative }
  /// Not comparable.
  struct Odd: LocalizedError {
    let number: Double
    var errorDescription: String? { "\(number) is odd." }
  }
  let price = Observed(4.0)
  let field = MemoryTextControl()

  @Test("validators are asked in order and the first that objects ends it, with its own error")
  func order() {
    let asked = Recorder<String>()
    let interactor = Interactor(
      price, in: field, as: Rounded(),
      validators: [
        Validator { value throws(Margin) in
          asked("margin")
          if value < 0 { throw Margin.negative }
        },
        Validator { value in
          asked("odd")
          if value.truncatingRemainder(dividingBy: 2) == 1 { throw Odd(number: value) }
        },
        .require("Below a hundred.") { $0 < 100 },
      ])
    _ = asked.values
    field.selectAll()
    field.paste("-3")
    #expect(interactor.error.value as? Margin == .negative && !interactor.isValid.value)
    #expect(asked.values.suffix(1) == ["margin"])
    field.selectAll()
    field.paste("3")
    #expect(interactor.explanation.value == "3.0 is odd.")
    field.selectAll()
    field.paste("102")
    #expect(interactor.explanation.value == "Below a hundred.")
    field.selectAll()
    field.paste("-")
    #expect(interactor.explanation.value == "No number yet.")
    field.end()
    #expect(price.value == 4 && field.text == "-")
    field.selectAll()
    field.paste("8")
    #expect(interactor.isValid.value && interactor.explanation.value == nil)
    field.end()
    #expect(price.value == 8)
  }

  @Test("what is not edited is validated too, and as the model has it")
  func ofTheModel() {
    let interactor = Interactor(
      price, in: field, as: Rounded(), validators: [.require("Below ten.") { $0 < 10 }])
    price.set(9.999)
    #expect(interactor.isValid.value && field.text == "10.00", "the text is rounded, the value is not")
    #expect(throws: Never.self) { try interactor.commit() }
    price.set(11)
    #expect(!interactor.isValid.value)
    #expect(throws: InputRejection(.other, "Below ten.")) { try interactor.commit() }
    field.begin()
    price.set(12)
    price.set(3)
    #expect(interactor.isValid.value && field.text == "11.00")
    field.end()
    #expect(field.text == "3.00")
  }

  @Test("an error is notified once while it says the same, and again when it cannot be compared")
  func notifications() {
    let interactor = Interactor(
      price, in: field, as: Rounded(),
      validators: [
        Validator { value in if value > 10 { throw Margin.negative } },
        Validator { value in if value < 0 { throw Odd(number: value) } },
      ])
    let notified = interactor.error.record()
    field.selectAll()
    field.type("1234")
    #expect(notified.values.map { $0.new is Margin } == [true])
    field.selectAll()
    field.paste("-1")
    field.type("1")
    #expect(notified.values.map { ($0.new as? Odd)?.number } == [nil, -1, -11])
  }

  @Test("an error without words is described")
  func words() {
    #expect(explanation(of: Margin.negative) == "negative")
    #expect(explanation(of: Odd(number: 1)) == "1.0 is odd.")
    #expect(explanation(of: InputRejection(.empty, "Nothing.")) == "Nothing.")
  }
}
