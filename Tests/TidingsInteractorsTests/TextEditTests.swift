import Testing
import TidingsInteractors

@Suite("TextEdit")
struct TextEditTests {
  @Test("an edit replaces characters as a person counts them, and is clamped to the text")
  func applied() {
    #expect(TextEdit(replacing: 1..<2, with: "é").applied(to: "a👨‍👩‍👧c") == "aéc")
    #expect(TextEdit(replacing: 5..<9, with: "!").applied(to: "abc") == "abc!")
  }
}
