import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("Interactor", .timeLimit(.minutes(20)))
struct InteractorTests {
  let price = Observed(1.2345)
  let field = MemoryTextControl()

  @Test("the control shows the value, and follows it while it is not edited")
  func follows() {
    let interactor = Interactor(price, in: field, as: Rounded())
    #expect(field.text == "1.23")
    price.set(7)
    #expect(field.text == "7.00" && interactor.draft.value == "7.00" && interactor.committed.value == 7)
    #expect(!interactor.isEdited.value && interactor.isValid.value)
  }

  @Test("an edit that changes nothing writes nothing, though the format rounds")
  func nothingChanged() {
    let interactor = Interactor(price, in: field, as: Rounded())
    let written = price.record()
    field.begin()
    field.deleteBackward()
    field.type("3")
    #expect(!interactor.isEdited.value)
    field.end()
    #expect(written.values.isEmpty && price.value == 1.2345 && field.text == "1.23")
  }

  @Test("at the end what was typed is written once, and shown as the format writes it")
  func committing() {
    let interactor = Interactor(price, in: field, as: Rounded())
    let written = price.record()
    field.selectAll()
    field.type("2.5")
    #expect(price.value == 1.2345 && interactor.isEdited.value && interactor.draft.value == "2.5")
    field.end()
    #expect(written.values == [Change(old: 1.2345, new: 2.5)])
    #expect(field.text == "2.50" && !interactor.isEdited.value)
    // What the format rounds away was typed all the same; it is not written again.
    field.selectAll()
    field.type("2.999")
    field.end()
    #expect(price.value == 2.999 && field.text == "3.00")
    field.begin()
    field.end()
    #expect(price.value == 2.999 && written.values.count == 2)
  }

  @Test("return commits, and a rejected draft keeps the focus")
  func returning() {
    let interactor = Interactor(price, in: field, as: Rounded())
    field.selectAll()
    field.type("-")
    #expect(!field.pressReturn() && field.isEditing)
    #expect((interactor.error.value as? InputRejection)?.reason == .incomplete)
    field.type("4")
    #expect(field.pressReturn() && !field.isEditing && price.value == -4 && field.text == "-4.00")
  }

  @Test("with every change each valid text is written, and the text is left alone until the end")
  func everyChange() {
    let interactor = Interactor(price, in: field, as: Rounded(), committing: .everyChange)
    let written = price.record()
    field.selectAll()
    field.type("-12.5")
    #expect(written.values.map(\.new) == [-1, -12, -12.5], "neither for '-' nor for the point, which says the same")
    #expect(field.text == "-12.5" && !interactor.isEdited.value)
    field.end()
    #expect(field.text == "-12.50" && written.values.count == 3)
  }

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

  @Test("the text is the format's, and the caret where it says, also when the plain edit gives another")
  func grouping() {
    let count = Observed(0)
    let interactor = Interactor(count, in: field, as: Grouped())
    field.clear()
    field.type("1234567")
    #expect(field.text == "1'234'567" && field.selection == 9..<9 && interactor.draft.value == "1'234'567")
    field.moveCaret(to: 1)
    field.type("9")
    #expect(field.text == "19'234'567" && field.selection == 2..<2)
    field.deleteBackward()
    field.deleteBackward()
    #expect(field.text == "234'567" && field.selection == 0..<0)
    field.end()
    #expect(count.value == 234_567)
  }

  @Test("a rejected draft outlives the focus, and only revert drops it")
  func draftsStay() {
    let interactor = Interactor(price, in: field, as: Rounded())
    field.clear()
    field.end()
    #expect(field.text == "" && interactor.isEdited.value && interactor.explanation.value == "Nothing.")
    price.set(9)
    #expect(field.text == "" && interactor.committed.value == 9)
    field.begin()
    field.end()
    #expect(field.text == "")
    interactor.revert()
    #expect(field.text == "9.00" && interactor.explanation.value == nil)
  }

  @Test("a change elsewhere leaves the draft alone; an edit that changed nothing ends with the new value")
  func changeDuringEdit() {
    let interactor = Interactor(price, in: field, as: Rounded())
    field.begin()
    price.set(2)
    #expect(field.text == "1.23" && interactor.committed.value == 2 && !interactor.isEdited.value)
    field.end()
    #expect(field.text == "2.00")
    field.type("1")
    price.set(3)
    #expect(field.text == "2.001" && interactor.isEdited.value)
    field.end()
    #expect(price.value == 2.001 && field.text == "2.00", "the last word is the person's")
  }

  @Test("a handler that sets the property to something else is written once and shown")
  func clamping() {
    let interactor = Interactor(price, in: field, as: Rounded())
    let clamp = price.observe { [price] change in if change.new > 100 { price.set(100) } }
    let written = price.record()
    field.selectAll()
    field.type("250")
    field.end()
    #expect(written.values.map(\.new) == [250, 100] && field.text == "100.00" && !interactor.isEdited.value)
    withExtendedLifetime(clamp) {}
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

  @Test("a value that may be missing is nil when the text is empty")
  func missing() {
    let price = Observed<Decimal?>(nil)
    let format = DecimalFormat(.currency(code: "EUR"), locale: Locale(identifier: "en_US"))
    let interactor = Interactor(price, in: field, as: format.optional)
    field.type("12")
    field.end()
    #expect(price.value == 12 && field.text == "€12.00")
    field.clear()
    field.end()
    #expect(price.value == nil && field.text == "" && interactor.isValid.value)
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
