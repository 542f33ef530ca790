import Testing
import Tidings
import TidingsInteractors

@MainActor @Suite("MemoryTextControl", .timeLimit(.minutes(20)))
struct MemoryTextControlTests {
  @Test("each character is asked for before it is there, and notified when it does")
  func typing() {
    let field = MemoryTextControl()
    var log: [String] = []
    let tokens = [
      field.didBeginEditing.observe { log.append("begun") },
      field.shouldChange.handle { edit in
        log.append("\(edit.replacement)? \(field.text)")
        return edit.replacement != "b"
      },
      field.didChange.observe { log.append("= \(field.text)") },
      field.didEndEditing.observe { log.append("ended") },
    ]
    #expect(!field.type("abc"))
    field.end()
    #expect(log == ["begun", "a? ", "= a", "b? a", "c? a", "= ac", "ended"])
    #expect(field.showings == 0)
    withExtendedLifetime(tokens) {}
  }

  @Test("the caret is after what was typed, and deletions go its way or take the selection")
  func caret() {
    let field = MemoryTextControl()
    field.type("abcdef")
    #expect(field.selection == 6..<6)
    field.moveCaret(to: 2)
    field.type("X")
    #expect(field.text == "abXcdef" && field.selection == 3..<3)
    field.deleteBackward()
    field.deleteForward()
    #expect(field.text == "abdef" && field.selection == 2..<2)
    field.select(1..<4)
    field.paste("👨‍👩‍👧!")
    #expect(field.text == "a👨‍👩‍👧!f" && field.selection == 3..<3)
    field.selectAll()
    field.deleteForward()
    #expect(field.text == "" && !field.deleteBackward() && !field.deleteForward())
  }

  @Test("clearing and return ask their own questions, and return ends the editing")
  func clearing() {
    let field = MemoryTextControl("abc")
    var mayClear = false
    let tokens = [
      field.shouldClear.handle { mayClear },
      field.shouldReturn.handle { !field.text.isEmpty },
    ]
    #expect(!field.clear() && field.text == "abc" && field.isEditing)
    mayClear = true
    #expect(field.clear() && field.text == "")
    #expect(!field.pressReturn() && field.isEditing)
    field.type("x")
    #expect(field.pressReturn() && !field.isEditing)
    withExtendedLifetime(tokens) {}
  }

  @Test("a text shown by the program is neither asked for nor notified, and its selection is clamped to the text")
  func showing() {
    let field = MemoryTextControl()
    var received = 0
    let tokens = [
      field.shouldChange.handle { _ in
        received += 1
        return false
      }, field.didChange.observe { received += 1 },
    ]
    field.show(EditedText("abc", selection: 2..<9))
    #expect(field.text == "abc" && field.selection == 2..<3 && received == 0 && field.showings == 1)
    withExtendedLifetime(tokens) {}
  }
}
