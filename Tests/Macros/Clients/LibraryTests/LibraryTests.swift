import Library
import Testing
import TidingsMacros
import TidingsTesting

@ObservedProperties @MainActor private final class Letter: Document {
  var recipient = "Ada"
  @Derived var line: String { "\($title.value) to \(recipient)" }
}

@Suite("Models of a library")
@MainActor struct LibraryTests {
  @Test("A generic model is observed by a client")
  func generic() {
    let (box, received) = (Box(1, name: "b"), Recorder<String>())
    let token = box.$line.observe { change in received(change.new) }
    let changes = box.$changes.observe { change in
      received("\(change.contains(\.$value)) \(change.contains(\.$history))")
    }
    box.value = 2
    box.$value.set(3)
    #expect(received.values == ["b: 2 after 0", "true false", "b: 3 after 0", "true false"])
    box.replace(with: 4)
    #expect(box.$history.value == [3])
    token.cancel()
    changes.cancel()
  }

  @Test("Its properties are read and observed off its actor")
  func elsewhere() async {
    let box = Box("a", name: "b")
    await Task.detached {
      box.$value.set("c")
      #expect(box.$line.value == "b: c after 0")
      _ = box.snapshot()
    }.value
    #expect(box.value == "c")
  }

  @Test("An open class has a subclass in a client, whose snapshot holds the properties of both")
  func open() {
    let (letter, received) = (Letter(), Recorder<String>())
    let token = letter.$line.observe { change in received(change.new) }
    let before = letter.snapshot()
    letter.title = "Dear"
    letter.recipient = "Grace"
    letter.pages = 2
    letter.restore(before)
    #expect(received.values == ["Dear to Ada", "Dear to Grace", " to Ada"])
    #expect(letter.pages == 1)
    token.cancel()
  }
}
