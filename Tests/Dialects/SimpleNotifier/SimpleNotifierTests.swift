import Foundation
import SimpleNotifier
import Testing

/// A notifier does what the original does beside the contract, and what was fixed.
@Suite struct SimpleNotifierTests {
  @Test func `the initial value is delivered to the new observer alone, immediately, after it was added`() {
    let notifier = Notifier<Int>()
    var (old, new): ([Int], [Int]) = ([], [])
    notifier.observe { old.append($0) }
    notifier.observe(
      { value in
        new.append(value)
        if value == 0 { notifier.send(1) }
      }, withInitialValue: 0)
    #expect(old == [1] && new == [0, 1])
  }

  @Test func `an absent initial value notifies of nothing`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    let (absent, present): (Int?, Int?) = (nil, 5)
    notifier.observe({ received.append($0) }, withInitialValue: nil)
    notifier.observe({ received.append($0) }, withInitialValue: absent)
    #expect(received.isEmpty)
    notifier.observe({ received.append($0) }, withInitialValue: present)
    #expect(received == [5])
    notifier.send(6)
    #expect(received == [5, 6, 6, 6])
  }

  @Test func `nil is notified as an initial value where it is a value of the notifier`() {
    let notifier = Notifier<String?>()
    var received: [String?] = []
    let absent: String? = nil
    notifier.observe({ received.append($0) }, withInitialValue: nil)
    notifier.observe({ received.append($0) }, withInitialValue: absent)
    notifier.observe({ received.append($0) }, withInitialValue: "text")
    #expect(received == [nil, nil, "text"])
  }

  @MainActor @Test func `values need not be Sendable, and closures use the actor's state without a hop`() {
    final class Page {}
    let (notifier, page) = (Notifier<Page>(), Page())
    var last: Page?
    notifier.observe { last = $0 }
    notifier.send(page)
    #expect(last === page)
  }

  @Test func `stop ends one observer and no other; tokens distinguish observers`() {
    let notifier = Notifier<Int>()
    var received: [String] = []
    let tokens = ["a", "b", "c"].map { name in notifier.observe { received.append("\(name)\($0)") } }
    #expect(tokens[0] == tokens[0] && Set(tokens + tokens).count == 3)
    for value in 1...2 {
      tokens[1].stop()
      notifier.send(value)
    }
    #expect(received == ["a1", "c1", "a2", "c2"])
  }

  @Test func `assigning a fresh notifier, or nil, stops the observers of the old one, though their tokens are kept`() {
    var notifier: Notifier<Int>? = Notifier()
    var received: [String] = []
    let tokens = [Notifier<Int>(), nil].map { next in
      let witness = Witness { received.append("released") }
      let token = notifier?.observe { value in
        witness.touch()
        received.append("\(value)")
      }
      notifier?.send(1)
      notifier = next
      notifier?.send(2)
      return token
    }
    #expect(received == ["1", "released", "1", "released"])
    for token in tokens { token?.stop() }
  }

  @Test func `an observer may take away the last reference to its notifier`() {
    final class Model { var notifier: Notifier<Int>? = Notifier() }
    let model = Model()
    var received: [String] = []
    model.notifier?.observe {
      model.notifier = nil
      received.append("a\($0)")
    }
    model.notifier?.observe { received.append("b\($0)") }
    for value in 1...2 { model.notifier?.send(value) }
    #expect(received == ["a1", "b1"])
  }

  @Test func `an observer with an owner can be stopped, and receives an initial value if given one`() {
    let notifier = Notifier<Int>()
    let owner = Witness()
    var received: [Int] = []
    let token = notifier.observe(owner: owner, { _, value in received.append(value) }, withInitialValue: 0)
    notifier.send(1)
    token.stop()
    notifier.send(2)
    #expect(received == [0, 1])
  }

  @Test(.timeLimit(.minutes(20)))
  func `observers that cause each other without end are reported by where the notifier was made`() async {
    let line: UInt = #line + 1
    let notifier = Notifier<Int>()
    notifier.observe { if $0 < 400 { notifier.send($0 + 1) } }
    let length = await lengthOfCycle(reportedOf: "SimpleNotifierTests.swift:\(line)") { notifier.send(1) }
    #expect(length == 2)  // one round: the one that was notified, and the one that was rejected
  }

  @Test func `the module imports the core and nothing else`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Dialects/SimpleNotifier").standardized
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    let imports = try files.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.contains("import ") }
    }
    #expect(Set(imports) == ["import Tidings"])
  }
}
