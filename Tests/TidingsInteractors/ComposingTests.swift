import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

extension MemoryTextControl {
  /// Replaces the selection by what an input method composes, step by step, and confirms the last.
  func compose(_ steps: String...) { compose(steps) }
  func compose(_ steps: [String]) {
    begin()
    let (start, after) = (selection.lowerBound, text.count - selection.upperBound)
    isComposing = true
    for step in steps {
      select(min(start, text.count - after)..<text.count - after)
      paste(step)
    }
    isComposing = false
    didChange.emit()
  }
}

@MainActor @Suite("Composed text", .timeLimit(.minutes(20)))
struct ComposingTests {
  let field = MemoryTextControl()

  @Test("it is subject to each limit, like a paste", arguments: [CommitPolicy.atEnd, .everyChange, .explicitly])
  func limits(_ policy: CommitPolicy) throws {
    let name = Observed("ab")
    let text = Interactor(name, in: field, as: .text(maximumLength: 4), committing: policy)
    field.begin()
    field.compose("n", "に", "日本語")
    #expect(field.text == "ab" && text.rejection.value?.reason == .tooLong && field.selection == 2..<2)
    field.compose("n", "ni", "日本")
    #expect(field.text == "ab日本" && text.rejection.value == nil)
    field.selectAll()
    field.compose("とうきょうと", "東京都")
    field.end()
    try text.commit()
    #expect(name.value == "東京都")
    text.deactivate()

    let price = Observed(Decimal(12))
    let format = DecimalFormat.decimal(
      locale: Locale(identifier: "ja_JP"), maximumIntegerDigits: 3, fractionDigits: 0...1, allowsNegative: false)
    let number = Interactor(price, in: field, as: format, committing: policy)
    for composed in ["１２３４", "ー5", "-5", "−5", "1.25", "1.5.2", "abc", "1,23"] {
      field.selectAll()
      field.compose("あ", composed)
      #expect(field.text == "12" && number.rejection.value != nil && price.value == 12, "\(composed)")
    }
    field.selectAll()
    field.compose("１", "１２", "１２３")
    #expect(field.text == "123" && number.rejection.value == nil)
    field.end()
    try number.commit()
    #expect(price.value == 123)
  }

  @Test("it replaces what was selected as a whole, not the part in which the two differ")
  func selected() {
    let price = Observed(Decimal(1234))
    let interactor = Interactor(
      price, in: field, as: .decimal(locale: Locale(identifier: "en_US"), fractionDigits: 0...2))
    field.selectAll()
    field.compose("1,5")
    #expect(field.text == "1,234" && interactor.rejection.value?.reason == .ambiguous)
    let reported = ReportedTextControl { _ in }
    let other = Interactor(
      price, in: reported, as: .decimal(locale: Locale(identifier: "en_US"), fractionDigits: 0...2))
    reported.report(EditedText("1,234", selection: 0..<5))
    reported.report(EditedText("1,5", caret: 3))
    #expect(reported.text == "1,234" && other.rejection.value?.reason == .ambiguous)
  }

  @Test("nothing beyond a limit is written meanwhile, and what is valid is, however the composing ends")
  func meanwhile() throws {
    let name = Observed("ab")
    let interactor = Interactor(name, in: field, as: .text(maximumLength: 3))
    func compose(_ text: String) {
      field.begin()
      field.moveCaret(to: field.text.count)
      field.isComposing = true
      field.paste(text)
    }
    compose("xyz")
    #expect(interactor.draft.value == "abxyz" && !interactor.isValid.value)
    #expect(throws: InputRejection.self) { try interactor.commit() }
    field.end()
    #expect(field.text == "ab" && name.value == "ab" && interactor.isValid.value && !interactor.isEdited.value)
    compose("c")
    field.end()
    #expect(name.value == "abc")
    field.isComposing = false
    name.set("a")
    compose("b")
    field.isComposing = false
    #expect(field.pressReturn() && name.value == "ab")
    compose("yz")
    interactor.revert()
    field.isComposing = false
    #expect(field.text == "ab")
    compose("yz")
    field.isComposing = false
    field.type("!")
    #expect(field.text == "ab" && interactor.rejection.value?.reason == .tooLong)
    compose("c")
    field.isComposing = false
    field.type("d")
    #expect(field.text == "ab")
    field.compose("c")
    #expect(field.text == "abc")
  }

  @Test("a control that does not ask has what it composes taken as a whole")
  func unasked() {
    final class Quiet: TextControl {
      var (text, selection, isEditing, isComposing) = ("", 0..<0, true, false)
      let signals = TextControlSignals()
      func show(_ edited: EditedText) { (text, selection) = (edited.text, edited.selection) }
    }
    let (control, name) = (Quiet(), Observed("ab"))
    let interactor = Interactor(name, in: control, as: .text(maximumLength: 3), committing: .everyChange)
    for (text, result) in [("abxy", "ab"), ("abx", "abx")] {
      (control.text, control.isComposing) = (text, true)
      control.didChange.emit()
      control.isComposing = false
      control.didChange.emit()
      #expect(control.text == result && name.value == result)
    }
    withExtendedLifetime(interactor) {}
  }

  @Test("a control that reports writes what was confirmed, also when it is the text that was reported before")
  func reported() {
    let name = Observed("")
    var page = EditedText("", caret: 0)
    let control = ReportedTextControl { page = $0 }
    let interactor = Interactor(name, in: control, as: .text(maximumLength: 2), committing: .everyChange)
    func report(_ text: String, composing: Bool) {
      page = EditedText(text, caret: text.count)
      control.isComposing = composing
      control.report(page)
    }
    report("に", composing: true)
    #expect(name.value == "")
    report("に", composing: false)
    #expect(name.value == "に" && interactor.isValid.value)
    report("にほん", composing: true)
    report("にほん", composing: false)
    #expect(name.value == "に" && page.text == "に" && interactor.rejection.value?.reason == .tooLong)
    report("にほん", composing: true)
    report("日本", composing: false)
    #expect(name.value == "日本" && page.text == "日本")
  }
}
