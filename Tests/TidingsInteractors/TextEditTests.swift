import Testing
import TidingsInteractors
import TidingsTesting

@Suite("TextEdit")
struct TextEditTests {
  @Test("an edit replaces characters as a person counts them, and is clamped to the text")
  func applied() {
    #expect(TextEdit(replacing: 1..<2, with: "é").applied(to: "a👨‍👩‍👧c") == "aéc")
    #expect(TextEdit(replacing: 5..<9, with: "!").applied(to: "abc") == "abc!")
  }

  @Test("the caret is after the replacement, also where characters become one")
  func caret() {
    #expect(EditedText.applying(TextEdit(replacing: 1..<2, with: "xy"), to: "abc") == EditedText("axyc", caret: 3))
    #expect(EditedText.applying(TextEdit(replacing: 1..<1, with: "\u{301}"), to: "eb") == EditedText("éb", caret: 1))
  }

  @Test("offsets of text systems count UTF-16 units, and half a character is the whole")
  func utf16() {
    let text = "a👨‍👩‍👧é"
    let units = text.utf16.count
    #expect(TextEdit(replacingUTF16: 1..<units - 1, with: "", in: text).range == 1..<2)
    #expect(TextEdit(replacingUTF16: 2..<3, with: "", in: text).range == 1..<2)
    #expect(TextEdit(replacingUTF16: 0..<99, with: "", in: text).range == 0..<3)
    #expect(TextEdit(replacingUTF16: units..<units, with: "", in: text).range == 3..<3)
    #expect(EditedText(text, selection: 1..<3).utf16Selection == 1..<units)
    #expect(EditedText(text, utf16Selection: 1..<units).selection == 1..<3)
  }

  @Test("the edit between two texts is the shortest that ends at the caret")
  func between() {
    #expect(TextEdit(from: "abc", to: "abXc", caret: 3) == TextEdit(replacing: 2..<2, with: "X"))
    #expect(TextEdit(from: "11", to: "111", caret: 1) == TextEdit(replacing: 0..<0, with: "1"))
    #expect(TextEdit(from: "11", to: "111", caret: 3) == TextEdit(replacing: 2..<2, with: "1"))
    #expect(TextEdit(from: "abcd", to: "ad", caret: 1) == TextEdit(replacing: 1..<3, with: ""))
    #expect(TextEdit(from: "abc", to: "abc") == TextEdit(replacing: 0..<0, with: ""))
    #expect(TextEdit(from: "", to: "xyz") == TextEdit(replacing: 0..<0, with: "xyz"))
  }

  @Test("the edit between any two texts makes the one of the other")
  func betweenAny() {
    for seed in Runs.seeds(500, of: "TextEditTests.betweenAny") {
      var random = SplitMix64(seed)
      var text: String { String((0..<random.number(below: 6)).map { _ in Array("ab👍")[random.number(below: 3)] }) }
      let (old, new) = (text, text)
      let caret = random.isOne(in: 2) ? random.number(below: 8) : nil
      let edit = TextEdit(from: old, to: new, caret: caret)
      #expect(edit.applied(to: old) == new, "seed \(seed): \(old) to \(new), caret \(caret as Any)")
    }
  }
}
