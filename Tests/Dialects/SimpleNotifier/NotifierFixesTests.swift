import Foundation
import SimpleNotifier
import Testing
import Tidings

/// What the original did not do, or wrongly.
@Suite struct NotifierFixes {
  @Test func `stop ends one observer and no other`() {
    let notifier = Notifier<Int>()
    var received: [String] = []
    notifier.observe { received.append("a\($0)") }
    let token = notifier.observe { received.append("b\($0)") }
    notifier.observe { received.append("c\($0)") }
    token.stop()
    notifier.send(1)
    #expect(received == ["a1", "c1"])
    token.stop()
    notifier.send(2)
    #expect(received == ["a1", "c1", "a2", "c2"])
  }

  @Test func `once stop has returned no call begins, also in a send that is in progress`() {
    let notifier = Notifier<Int>()
    var received: [String] = []
    var later: Notifier<Int>.Token?
    notifier.observe {
      received.append("a\($0)")
      later?.stop()
    }
    later = notifier.observe { received.append("b\($0)") }
    notifier.observe { received.append("c\($0)") }
    notifier.send(1)
    #expect(received == ["a1", "c1"])
  }

  @Test func `an observer may stop itself`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    var token: Notifier<Int>.Token?
    token = notifier.observe {
      received.append($0)
      token?.stop()
    }
    notifier.send(1)
    notifier.send(2)
    #expect(received == [1])
  }

  @Test func `stop releases what the observer captured, though the token is kept`() {
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

  @Test func `stopping from an observer releases the captures when the send is over`() {
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

  @Test func `tokens distinguish observers`() {
    let notifier = Notifier<Int>()
    let (a, b) = (notifier.observe { _ in }, notifier.observe { _ in })
    #expect(a != b && a == a)
    #expect(Set([a, b, a]).count == 2)
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

  @Test func `assigning a fresh notifier stops the observers of the old one, whose tokens are kept`() {
    var notifier = Notifier<Int>()
    var received: [Int] = []
    weak var captured: Witness?
    let token: Notifier<Int>.Token
    do {
      let witness = Witness()
      captured = witness
      token = notifier.observe { value in
        witness.touch()
        received.append(value)
      }
    }
    notifier.send(1)
    notifier = Notifier()
    #expect(captured == nil)
    notifier.send(2)
    #expect(received == [1])
    token.stop()
  }

  @Test func `assigning nil stops too, and releases what the observers captured`() {
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
    var received: [String] = []
    model.notifier?.observe {
      model.notifier = nil
      received.append("a\($0)")
    }
    model.notifier?.observe { received.append("b\($0)") }
    model.notifier?.send(1)
    #expect(received == ["a1", "b1"])
    model.notifier?.send(2)
    #expect(received == ["a1", "b1"])
  }

  @Test func `a deinitialized owner is not called, and nothing traps`() {
    let notifier = Notifier<Int>()
    var received: [Int] = []
    var owner: Witness? = Witness()
    weak let released = owner
    notifier.observe(owner: owner!) { owner, value in
      owner.touch()
      received.append(value)
    }
    notifier.send(1)
    owner = nil
    #expect(released == nil)
    notifier.send(2)
    #expect(received == [1])
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
  func `observers that cause each other without end are stopped and reported by where the notifier was made`() async {
    let line: UInt = #line + 1
    let notifier = Notifier<Int>()
    let name = "NotifierFixesTests.swift:\(line)"
    var (deepest, cycling) = (0, true)
    notifier.observe {
      deepest = max(deepest, $0)
      if cycling { notifier.send($0 + 1) }
    }
    let (reports, notified) = AsyncStream.makeStream(of: Diagnostics.Report.self)
    let subscription = Diagnostics.reports.filter { $0.message.contains(name) }.observe { notified.yield($0) }
    notifier.send(1)
    // Another test's report may be on its way to the same handlers, on another thread.
    let report = await reports.first { _ in true }
    subscription.cancel()
    #expect(deepest == 200)
    #expect(report?.labels.count == 2)  // one round: the one that was notified, and the one that was rejected
    cycling = false
    notifier.send(1000)
    #expect(deepest == 1000)
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

final class Witness {
  private(set) var touches = 0
  func touch() { touches += 1 }
}
