import Foundation
import Testing
import TidingsInteractors

@Suite("OptionalFormat")
struct OptionalFormatTests {
  private let english = Locale(identifier: "en_US")

  @Test("no text is no value, and no value is no text")
  func empty() throws {
    let format = DecimalFormat(locale: english, emptyValue: 7).optional
    #expect(try format.parse("") == nil)
    #expect(format.format(nil) == "")
    #expect(try format.base.parse("") == 7)
  }

  @Test("all else is as the format says")
  func base() throws {
    let format = IntegerFormat(locale: english).optional
    #expect(try format.parse("1,234") == 1234)
    #expect(format.format(1234) == "1,234")
    #expect(try format.edit(TextEdit(replacing: 3..<3, with: "4"), of: "123") == EditedText("1,234", caret: 5))
    #expect(throws: InputRejection(.incomplete, "“-” is not a whole number yet.")) { try format.parse("-") }
    #expect(try PlainTextFormat().optional.parse("") == nil)
    #expect(format == IntegerFormat(locale: english).optional)
  }
}
