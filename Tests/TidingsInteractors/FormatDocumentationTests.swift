import Foundation
import Testing
import TidingsInteractors

@Suite("Formats, as their documentation shows them")
struct FormatDocumentationTests {
  @Test("a number with a fraction")
  func decimals() throws {
    let price = DecimalFormat(locale: Locale(identifier: "de_DE"))
    let shown = price.format(1234)
    let value = try price.parse("1.234,5")
    let typed = try price.edit(TextEdit(replacing: 0..<0, with: ","), of: "")
    #expect(shown == "1.234,0" && value == Decimal(string: "1234.5"))
    #expect(typed == EditedText("0,", caret: 2))
  }

  @Test("a whole number, and why a key is rejected")
  func integers() throws {
    let count = IntegerFormat(locale: Locale(identifier: "de_DE"))
    let shown = count.format(-1_234_567)
    let value = try count.parse("1.234")
    #expect(shown == "-1.234.567" && value == 1234)
    func print(_ error: InputRejection) { #expect(error.description == "“x” cannot be part of a whole number.") }
    do { _ = try IntegerFormat().edit(TextEdit(replacing: 0..<0, with: "x"), of: "") } catch { print(error) }
  }

  @Test("text, and what may be missing")
  func others() throws {
    let name = PlainTextFormat(maximumLength: 40)
    let full = try name.edit(TextEdit(replacing: 3..<3, with: "\nLovelace"), of: "Ada").text
    #expect(full == "Ada Lovelace")
    let limit = DecimalFormat().optional
    let shown = limit.format(nil)
    let value = try limit.parse("")
    #expect(shown == "" && value == nil)
  }
}
