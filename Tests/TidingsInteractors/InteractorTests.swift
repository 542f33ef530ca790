import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Interactor", .timeLimit(.minutes(20)))
struct InteractorTests {
  let price = Observed(1.2345)
  let field = MemoryTextControl()

  @Test("explicitly, nothing is written until commit, and commit says why not")
  func explicitly() throws {
    let interactor = Interactor(price, in: field, as: Rounded(), committing: .explicitly)
    field.selectAll()
    field.type("5.")
    field.end()
    #expect(price.value == 1.2345 && field.text == "5." && interactor.isEdited.value)
    try interactor.commit()
    #expect(price.value == 5 && field.text == "5.00")
    try interactor.commit()
    field.clear()
    #expect(throws: InputRejection(.empty, "Nothing.")) { try interactor.commit() }
    #expect(price.value == 5 && interactor.draft.value == "")
    interactor.revert()
    #expect(field.text == "5.00" && field.isEditing && interactor.isValid.value)
  }

  @Test("a rejected key says why, changes nothing, and is forgotten with the next")
  func rejecting() {
    let interactor = Interactor(price, in: field, as: Rounded())
    #expect(!field.type("x"))
    #expect(interactor.rejection.value?.reason == .foreignCharacters && field.text == "1.23")
    #expect(!interactor.isEdited.value)
    field.type("4")
    #expect(interactor.rejection.value == nil && field.text == "1.234")
    field.type(".")
    #expect(interactor.rejection.value?.reason == .secondSeparator)
    field.end()
    #expect(interactor.rejection.value == nil)
  }

  @Test("handlers see the value, its draft and its state change as one")
  func asOne() {
    let interactor = Interactor(price, in: field, as: Rounded())
    let seen = Recorder<String>()
    let look: @Sendable () -> Void = { [price] in
      seen("\(price.value) \(interactor.draft.value) \(interactor.isEdited.value)")
    }
    field.selectAll()
    field.type("2")
    let tokens = [price.observe { _ in look() }, interactor.isEdited.observe { _ in look() }]
    field.end()
    #expect(seen.values == ["2.0 2.00 false", "2.0 2.00 false"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a transaction that throws takes back value, draft and control")
  func takenBack() {
    struct Stop: Error {}
    let interactor = Interactor(price, in: field, as: Rounded(), committing: .explicitly)
    field.selectAll()
    field.type("2")
    field.end()
    #expect(throws: Stop.self) {
      try transaction {
        try interactor.commit()
        throw Stop()
      }
    }
    #expect(price.value == 1.2345 && field.text == "2" && interactor.isEdited.value)
  }

  @Test("typing 1234,5 in German, key by key")
  func german() {
    let price = Observed(Decimal(0))
    let format = DecimalFormat(locale: Locale(identifier: "de_DE"))
    let interactor = Interactor(price, in: field, as: format, committing: .everyChange)
    let written = price.record()
    var shown: [String] = []
    field.selectAll()
    for key in ["1", "2", "3", "4", ",", ",", "5"] {
      field.type(key)
      shown.append(field.text)
      #expect((interactor.rejection.value?.reason == .secondSeparator) == (shown.count == 6))
    }
    #expect(shown == ["1", "12", "123", "1.234", "1.234,", "1.234,", "1.234,5"])
    #expect(field.selection == 7..<7 && written.values.map(\.new) == [1, 12, 123, 1234, Decimal(string: "1234.5")])
    field.moveCaret(to: 2)
    field.deleteBackward()
    #expect(field.text == "234,5" && field.selection == 0..<0, "the separator is removed with the digit before it")
    field.end()
    #expect(price.value == Decimal(string: "234.5"))
    price.set(-1_000_000)
    #expect(field.text == "-1.000.000,0")
  }

  @Test("code that changes the text of a control that has the focus is at it, though no report said that it began")
  func untoldBeginning() {
    final class Quiet: TextControl {
      var (text, selection, isEditing) = ("", 0..<0, false)
      let signals = TextControlSignals()
      func show(_ edited: EditedText) { (text, selection) = (edited.text, edited.selection) }
    }
    let control = Quiet()
    let interactor = Interactor(price, in: control, as: Rounded(), committing: .everyChange)
    (control.text, control.isEditing) = ("2", true)
    control.didChange.emit()
    #expect(price.value == 2 && control.text == "2" && interactor.isEditing.value)
  }

  @Test("text that an input method puts together is left alone, and taken when it is reported")
  func composing() {
    let name = Observed("")
    let interactor = Interactor(name, in: field, as: Trimmed())
    field.isComposing = true
    field.type("に")
    field.isComposing = false
    field.type("ほ ")
    #expect(interactor.draft.value == "にほ ")
    field.end()
    #expect(name.value == "にほ" && field.text == "にほ")
  }

  @Test("what an input method is still putting together is not written, and is when it is done")
  func composingAtEveryChange() {
    let name = Observed("")
    let interactor = Interactor(name, in: field, as: Trimmed(), committing: .everyChange)
    field.isComposing = true
    field.type("n")
    #expect(name.value == "" && interactor.draft.value == "n")
    field.isComposing = false
    field.didChange.emit()
    #expect(name.value == "n" && !interactor.isEdited.value)
  }
}
