import Testing

@testable import tour

struct KeyTests {
  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return decoder.keys(in: text.utf8)
  }

  @Test func `Bytes of a terminal are keys`() {
    #expect(keys("1é٣") == [.character("1"), .character("é"), .character("٣")])
    #expect(keys("\u{1B}[D\u{1B}[C\u{1B}OH\u{1B}[4~\u{1B}[3~") == [.left, .right, .home, .end, .delete])
    #expect(keys("\t\u{1B}[Z\r\u{7F}\u{1B}") == [.nextField, .previousField, .enter, .backspace, .escape])
    #expect(keys("\u{3}") == [.quit])
  }

  @Test func `What is pasted is one key`() {
    #expect(keys("a\u{1B}[200~USD 1,5\u{1B}[201~b") == [.character("a"), .paste("USD 1,5"), .character("b")])
  }

  @Test func `Unknown keys are left out`() {
    #expect(keys("\u{1B}[24~\u{0}x\u{1B}[1;5D") == [.character("x")])
  }

  @Test(arguments: 1...6) func `It does not matter how the bytes are cut`(size: Int) {
    // Not after the first byte of a sequence, which alone is the escape key.
    let bytes = Array("1€\u{1B}[200~x\u{1B}[201~٣".utf8)
    var (decoder, keys) = (KeyDecoder(), [Key]())
    var start = 0
    while start < bytes.count {
      var end = min(start + size, bytes.count)
      if bytes[end - 1] == 0x1B { end = min(end + 1, bytes.count) }
      keys += decoder.keys(in: bytes[start..<end])
      start = end
    }
    #expect(keys == [.character("1"), .character("€"), .paste("x"), .character("٣")])
  }
}
