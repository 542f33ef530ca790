import Foundation
import SimpleNotifier
import Testing
import Tidings

/// What the original does, and goes on doing.
@Suite struct NotifierKeeps {
  @Test func `send has called every observer when it returns, in the order in which they were added`() {
    let notifier = Notifier<Int>()
    var heard: [String] = []
    for name in ["a", "b", "c"] { notifier.observe { heard.append("\(name)\($0)") } }
    notifier.send(1)
    #expect(heard == ["a1", "b1", "c1"])
    notifier.send(2)
    #expect(heard == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test func `the same closure added twice is called twice`() {
    let notifier = Notifier<Int>()
    var heard: [Int] = []
    let callback: Notifier<Int>.NotificationCallback = { heard.append($0) }
    notifier.observe(callback)
    notifier.observe(callback)
    notifier.send(7)
    #expect(heard == [7, 7])
  }

  @Test func `an observer whose token was dropped is called for as long as the notifier lives`() {
    let notifier = Notifier<Int>()
    var heard: [Int] = []
    do { _ = notifier.observe { heard.append($0) } }
    for value in 1...3 { notifier.send(value) }
    #expect(heard == [1, 2, 3])
  }

  @Test func `an observer hears nothing that was sent before it was added`() {
    let notifier = Notifier<Int>()
    var heard: [Int] = []
    notifier.send(1)
    notifier.observe { heard.append($0) }
    #expect(heard.isEmpty)
    notifier.send(2)
    #expect(heard == [2])
  }

  @Test func `an observer that is added by an observer hears the next send, not the one that is going on`() {
    let notifier = Notifier<Int>()
    var heard: [String] = []
    notifier.observe { outer in
      heard.append("first \(outer)")
      if outer == 1 { notifier.observe { heard.append("added \($0)") } }
    }
    notifier.send(1)
    #expect(heard == ["first 1"])
    notifier.send(2)
    #expect(heard == ["first 1", "first 2", "added 2"])
  }

  @Test func `what an observer sends is delivered at once, nested, also to one that it has just added`() {
    let notifier = Notifier<Int>()
    var heard: [String] = []
    notifier.observe { value in
      heard.append("first \(value)")
      guard value == 1 else { return }
      notifier.observe { heard.append("added \($0)") }
      notifier.send(2)
      heard.append("first is back")
    }
    notifier.observe { heard.append("second \($0)") }
    notifier.send(1)
    #expect(heard == ["first 1", "first 2", "second 2", "added 2", "first is back", "second 1"])
  }

  @Test func `the initial value goes to the new observer alone, at once`() {
    let notifier = Notifier<Int>()
    var (old, new): ([Int], [Int]) = ([], [])
    notifier.observe { old.append($0) }
    notifier.observe({ new.append($0) }, withInitialValue: 0)
    #expect(old.isEmpty && new == [0])
    notifier.send(1)
    #expect(old == [1] && new == [0, 1])
  }

  @Test func `a callback is added before it is told the initial value`() {
    let notifier = Notifier<Int>()
    var heard: [Int] = []
    notifier.observe(
      { value in
        heard.append(value)
        if value == 0 { notifier.send(1) }
      }, withInitialValue: 0)
    #expect(heard == [0, 1])
  }

  @Test func `an absent initial value tells nothing`() {
    let notifier = Notifier<Int>()
    var heard: [Int] = []
    let absent: Int? = nil
    let present: Int? = 5
    notifier.observe({ heard.append($0) }, withInitialValue: nil)
    notifier.observe({ heard.append($0) }, withInitialValue: absent)
    #expect(heard.isEmpty)
    notifier.observe({ heard.append($0) }, withInitialValue: present)
    #expect(heard == [5])
    notifier.send(6)
    #expect(heard == [5, 6, 6, 6])
  }

  @Test func `a notifier of nothing sends without an argument`() {
    let notifier = Notifier<Void>()
    var count = 0
    notifier.observe { count += 1 }
    notifier.send()
    notifier.send(())
    #expect(count == 2)
  }

  @Test func `values and closures need not be Sendable`() {
    final class Page { var visits = 0 }
    let notifier = Notifier<Page>()
    var last: Page?
    notifier.observe { page in
      page.visits += 1
      last = page
    }
    let page = Page()
    notifier.send(page)
    #expect(last === page && page.visits == 1)
  }

  @MainActor @Test func `an observer on the main actor uses the actor's state without a hop`() {
    final class Screen { var title = "" }
    let (screen, notifier) = (Screen(), Notifier<String>())
    notifier.observe { screen.title = $0 }
    notifier.send("Prices")
    #expect(screen.title == "Prices")
  }
}

/// What the original did not do, or wrongly.
@Suite struct NotifierMends {
  @Test func `stop ends one observer and no other`() {
    let notifier = Notifier<Int>()
    var heard: [String] = []
    notifier.observe { heard.append("a\($0)") }
    let token = notifier.observe { heard.append("b\($0)") }
    notifier.observe { heard.append("c\($0)") }
    token.stop()
    notifier.send(1)
    #expect(heard == ["a1", "c1"])
    token.stop()
    notifier.send(2)
    #expect(heard == ["a1", "c1", "a2", "c2"])
  }

  @Test func `once stop has returned no call begins, also in a send that is going on`() {
    let notifier = Notifier<Int>()
    var heard: [String] = []
    var later: Notifier<Int>.Token?
    notifier.observe {
      heard.append("a\($0)")
      later?.stop()
    }
    later = notifier.observe { heard.append("b\($0)") }
    notifier.observe { heard.append("c\($0)") }
    notifier.send(1)
    #expect(heard == ["a1", "c1"])
  }

  @Test func `an observer may stop itself`() {
    let notifier = Notifier<Int>()
    var heard: [Int] = []
    var token: Notifier<Int>.Token?
    token = notifier.observe {
      heard.append($0)
      token?.stop()
    }
    notifier.send(1)
    notifier.send(2)
    #expect(heard == [1])
  }

  @Test func `stop lets go of what the observer captured, though the token is kept`() {
    let notifier = Notifier<Int>()
    weak var captured: Witness?
    let token: Notifier<Int>.Token
    do {
      let witness = Witness()
      captured = witness
      token = notifier.observe { _ in witness.touch() }
    }
    #expect(captured != nil)
    token.stop()
    #expect(captured == nil)
  }

  @Test func `stopping from an observer lets go of the captures when the send is over`() {
    let notifier = Notifier<Int>()
    weak var captured: Witness?
    var token: Notifier<Int>.Token?
    notifier.observe { _ in token?.stop() }
    do {
      let witness = Witness()
      captured = witness
      token = notifier.observe { _ in witness.touch() }
    }
    notifier.send(1)
    #expect(captured == nil)
  }

  @Test func `tokens tell observers apart`() {
    let notifier = Notifier<Int>()
    let (a, b) = (notifier.observe { _ in }, notifier.observe { _ in })
    #expect(a != b && a == a)
    #expect(Set([a, b, a]).count == 2)
  }

  @Test func `nil is told as an initial value where it is a value of the notifier`() {
    let notifier = Notifier<String?>()
    var heard: [String?] = []
    let absent: String? = nil
    notifier.observe({ heard.append($0) }, withInitialValue: nil)
    notifier.observe({ heard.append($0) }, withInitialValue: absent)
    notifier.observe({ heard.append($0) }, withInitialValue: "text")
    #expect(heard == [nil, nil, "text"])
  }

  @Test func `assigning a fresh notifier silences the observers of the old one, whose tokens are kept`() {
    var notifier = Notifier<Int>()
    var heard: [Int] = []
    weak var captured: Witness?
    let token: Notifier<Int>.Token
    do {
      let witness = Witness()
      captured = witness
      token = notifier.observe { value in
        witness.touch()
        heard.append(value)
      }
    }
    notifier.send(1)
    notifier = Notifier()
    #expect(captured == nil)
    notifier.send(2)
    #expect(heard == [1])
    token.stop()
  }

  @Test func `assigning nil silences too, and lets go of what the observers captured`() {
    var notifier: Notifier<Int>? = Notifier()
    weak var captured: Witness?
    do {
      let witness = Witness()
      captured = witness
      notifier?.observe { _ in witness.touch() }
    }
    notifier?.send(1)
    #expect(captured != nil)
    notifier = nil
    #expect(captured == nil)
  }

  @Test func `an observer may take away the last reference to its notifier`() {
    final class Model { var notifier: Notifier<Int>? = Notifier() }
    let model = Model()
    var heard: [String] = []
    model.notifier?.observe {
      model.notifier = nil
      heard.append("a\($0)")
    }
    model.notifier?.observe { heard.append("b\($0)") }
    model.notifier?.send(1)
    #expect(heard == ["a1", "b1"])
    model.notifier?.send(2)
    #expect(heard == ["a1", "b1"])
  }

  @Test func `an owner that has gone is not called, and nothing traps`() {
    let notifier = Notifier<Int>()
    var heard: [Int] = []
    var owner: Witness? = Witness()
    weak let gone = owner
    notifier.observe(owner: owner!) { owner, value in
      owner.touch()
      heard.append(value)
    }
    notifier.send(1)
    owner = nil
    #expect(gone == nil)
    notifier.send(2)
    #expect(heard == [1])
  }

  @Test func `an observer with an owner can be stopped, and hears an initial value if given one`() {
    let notifier = Notifier<Int>()
    let owner = Witness()
    var heard: [Int] = []
    let token = notifier.observe(owner: owner, { _, value in heard.append(value) }, withInitialValue: 0)
    notifier.send(1)
    token.stop()
    notifier.send(2)
    #expect(heard == [0, 1])
  }

  @Test(.timeLimit(.minutes(1)))
  func `observers that cause each other without end are stopped and reported by where the notifier was made`() async {
    let line: UInt = #line + 1
    let notifier = Notifier<Int>()
    let name = "NotifierTests.swift:\(line)"
    var (deepest, circling) = (0, true)
    notifier.observe {
      deepest = max(deepest, $0)
      if circling { notifier.send($0 + 1) }
    }
    let (reports, told) = AsyncStream.makeStream(of: Diagnosis.Report.self)
    let subscription = Diagnosis.reports.filter { $0.message.contains(name) }.observe { told.yield($0) }
    notifier.send(1)
    // Another test's report may be on its way to the same handlers, on another thread.
    let report = await reports.first { _ in true }
    subscription.cancel()
    #expect(deepest == 200)
    #expect(report?.labels.count == 2)  // one round: the one that was told, and the one that was refused
    circling = false
    notifier.send(1000)
    #expect(deepest == 1000)
  }

  @Test func `the module imports the core and nothing else`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/Dialects/SimpleNotifier").standardized
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    let imports = try files.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.contains("import ") }
    }
    #expect(Set(imports) == ["import Tidings"])
  }
}

final class Witness {
  private(set) var touches = 0
  func touch() { touches += 1 }
}
