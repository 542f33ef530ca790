import Foundation
import Testing
import Tidings
import TidingsInteractors
import TidingsTesting

@MainActor @Suite("ReportedTextControl", .timeLimit(.minutes(20)))
struct ReportedTextControlTests {
  /// A field that does what a person wants and reports afterwards.
  final class Page {
    var value = ""
    var caret = 0
    var sets = 0
    func type(_ text: String) {
      value = EditedText.applying(TextEdit(replacing: caret..<caret, with: text), to: value).text
      caret += text.count
    }
    var held: EditedText { EditedText(value, caret: caret) }
  }
  let page = Page()
  let control: ReportedTextControl

  init() {
    control = ReportedTextControl { [page] edited in
      (page.value, page.caret) = (edited.text, edited.selection.lowerBound)
      page.sets += 1
    }
  }

  @Test("a user's edit is recognised, put to the format and corrected in the field")
  func typing() {
    let count = Observed(0)
    let interactor = Interactor(count, in: control, as: Grouped())
    page.value = ""
    page.caret = 0
    control.report(page.held)
    for key in ["1", "2", "3", "4"] {
      page.type(key)
      control.report(page.held)
    }
    #expect(page.value == "1'234" && page.caret == 5 && interactor.draft.value == "1'234")
    page.type("x")
    control.report(page.held)
    #expect(page.value == "1'234" && page.caret == 5 && interactor.rejection.value != nil)
    control.end()
    #expect(count.value == 1234)
    count.set(5)
    #expect(page.value == "5" && control.text == "5")
  }

  @Test("the previous place of the caret tells which key deletes a grouping separator")
  func directions() {
    let count = Observed(1234)
    let interactor = Interactor(count, in: control, as: IntegerFormat(locale: Locale(identifier: "en_US")))
    for (caret, left, text) in [(1, 1, "134"), (2, 0, "234")] {
      page.caret = caret
      control.report(page.held)
      (page.value, page.caret) = ("1234", 1)
      control.report(page.held)
      #expect(page.value == text && page.caret == left)
      interactor.revert()
      #expect(page.value == "1,234")
    }
  }

  @Test("a field that has lost the focus can receive it again")
  func focus() {
    let log = Recorder<String>()
    let tokens = [
      control.didBeginEditing.observe { log("begins") }, control.didEndEditing.observe { log("ends") },
    ]
    for _ in 0..<2 {
      control.begin()
      control.begin()
      control.end()
      control.end()
    }
    #expect(log.values == ["begins", "ends", "begins", "ends"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a field that need not be set right is not set")
  func untouched() {
    let name = Observed("")
    let interactor = Interactor(name, in: control, as: Trimmed())
    let sets = page.sets
    for key in ["a", "b", " ", "é"] {
      page.type(key)
      control.report(page.held)
    }
    #expect(page.sets == sets && interactor.draft.value == "ab é")
    #expect(control.pressReturn() && name.value == "ab é")
  }
}
