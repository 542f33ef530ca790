import Foundation
import Testing
import TidingsInteractors

@Suite("IntegerFormat")
struct IntegerFormatTests {
  private let format = IntegerFormat(locale: Locale(identifier: "en_US"))

  private func typed(_ script: String, _ format: IntegerFormat) -> (shown: String, reason: InputRejection.Reason?) {
    var typist = Typist(format, "|")
    for key in script { typist.type(String(key)) }
    return (typist.shown, typist.rejection?.reason)
  }

  @Test("whole numbers are written as the system writes them, and read again")
  func readAgain() throws {
    for id in ["en_US", "de_CH", "hi_IN", "ar_EG", "es_ES", "fa_IR"] {
      let locale = Locale(identifier: id)
      let format = IntegerFormat(locale: locale)
      for value in [0, 7, -7, 1234, -12_345, 1_234_567, Int.max, Int.min] {
        #expect(format.format(value) == IntegerFormatStyle<Int>(locale: locale).format(value))
        #expect(try format.parse(format.format(value)) == value)
      }
    }
  }

  @Test("no digit is let through that makes a number larger than an Int holds, on either side")
  func overflow() throws {
    let largest = typed(String(Int.max), format)
    #expect(largest.shown == format.format(.max) + "|" && largest.reason == nil)
    #expect(typed(String(Int.min), format).shown == format.format(.min) + "|")
    let beyond = String(String(Int.max).dropLast()) + "8"
    #expect(typed(beyond, format).reason == .tooLarge)
    #expect(typed("-" + String(beyond.dropLast()) + "9", format).reason == .tooLarge)
    #expect(typed(String(Int.max) + "0", format).reason == .tooManyIntegerDigits)
    #expect(throws: InputRejection(.tooLarge, "“\(beyond)” is beyond the largest whole number.")) {
      try format.parse(beyond)
    }
  }

  @Test("a separator is no part of a whole number, and a pasted fraction is not cut off")
  func separator() {
    let key = TextEdit(replacing: 0..<0, with: ".")
    #expect(throws: InputRejection(.foreignCharacters, "“.” cannot be part of a whole number.")) {
      try format.edit(key, of: "")
    }
    for text in ["1.50", "1.0"] {
      let paste = TextEdit(replacing: 0..<0, with: text)
      #expect(throws: InputRejection(.tooManyFractionDigits, "There is nothing after a separator here.")) {
        try format.edit(paste, of: "")
      }
      #expect(throws: InputRejection(.tooManyFractionDigits, "There is nothing after a separator here.")) {
        try format.parse(text)
      }
    }
  }

  @Test("the number of digits, the sign and the grouping are as asked for")
  func limits() {
    let plain = IntegerFormat(
      locale: Locale(identifier: "en_US"), maximumDigits: 4, allowsNegative: false, grouping: false, emptyValue: -1)
    #expect(typed("12345", plain).shown == "1234|")
    #expect(typed("12345", plain).reason == .tooManyIntegerDigits)
    #expect(typed("-", plain).reason == .sign)
    #expect((try? plain.parse("")) == -1)
    #expect(plain.format(1_234_567) == "1234567")
  }

  @Test("no text is zero unless another value is named; a minus alone is no number yet")
  func empty() throws {
    #expect(try format.parse("") == 0)
    #expect(throws: InputRejection(.incomplete, "“-” is not a whole number yet.")) { try format.parse("-") }
    #expect(throws: InputRejection(.foreignCharacters, "“12x” cannot be part of a whole number.")) {
      try format.parse("12x")
    }
  }
}
