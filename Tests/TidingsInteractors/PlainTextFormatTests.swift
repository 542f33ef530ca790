import Testing
import TidingsInteractors

@Suite("PlainTextFormat")
struct PlainTextFormatTests {
  private func edited(
    _ text: String, _ range: Range<Int>, _ replacement: String, _ format: PlainTextFormat = PlainTextFormat()
  ) throws -> EditedText {
    try format.edit(TextEdit(replacing: range, with: replacement), of: text)
  }

  @Test("anything is let in, and the caret is after it")
  func anything() throws {
    #expect(try edited("", 0..<0, "a") == EditedText("a", caret: 1))
    #expect(try edited("abc", 1..<2, "xyz") == EditedText("axyzc", caret: 4))
    #expect(try edited("abc", 1..<2, "") == EditedText("ac", caret: 1))
    #expect(try edited("abc", 2..<9, "!") == EditedText("ab!", caret: 3))
  }

  @Test("the end of a line becomes a space, when it is pasted and when it is written")
  func oneLine() throws {
    #expect(try edited("", 0..<0, "a\nb\r\nc\u{2028}d").text == "a b c d")
    #expect(PlainTextFormat().format("a\r\nb") == "a b")
    #expect(PlainTextFormat().parse(" a ") == " a ")
  }

  @Test("an accent joins the letter before it, and the caret stays in the text")
  func accents() throws {
    #expect(try edited("e", 1..<1, "\u{301}") == EditedText("é", caret: 1))
    // Two half flags make one.
    #expect(try edited("\u{1F1EA}", 0..<0, "\u{1F1E9}") == EditedText("🇩🇪", caret: 1))
  }

  @Test("what is too long is rejected as a whole; what was too long before can be made shorter")
  func maximumLength() throws {
    let format = PlainTextFormat(maximumLength: 3)
    #expect(try edited("ab", 2..<2, "c", format).text == "abc")
    #expect(throws: InputRejection(.tooLong, "At most 3 characters.")) { try edited("ab", 2..<2, "cd", format) }
    #expect(try edited("ab", 0..<2, "👨‍👩‍👧é🇩🇪", format).text == "👨‍👩‍👧é🇩🇪")
    #expect(try edited("abcdef", 5..<6, "", format).text == "abcde")
    #expect(try edited("abcdef", 4..<6, "x", format).text == "abcdx")
    #expect(throws: InputRejection(.tooLong, "At most 3 characters.")) { try edited("abcdef", 6..<6, "g", format) }
    #expect(format.format("abcdef") == "abcdef")
  }
}
