import EventDispatching
import Testing
import Tidings

/// What the original documents, and what continues being so.
@Suite struct EventDispatchKeeps {
  @Test func `notify has called every handler when it returns, earlier added earlier called`() {
    let dispatch = EventDispatch<Int>()
    var received: [String] = []
    for name in ["a", "b", "c"] { dispatch.addHandler { received.append("\(name)\($0)") } }
    dispatch.notify(1)
    #expect(received == ["a1", "b1", "c1"])
    dispatch.notify(2)
    #expect(received == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test func `a handler whose identifier was dropped is called for as long as the dispatch lives`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    do { _ = dispatch.addHandler { received.append($0) } }
    for value in 1...3 { dispatch.notify(value) }
    #expect(received == [1, 2, 3])
  }

  @Test func `removeHandler ends one handler and says whether there was one`() {
    let dispatch = EventDispatch<Int>()
    var received: [String] = []
    dispatch.addHandler { received.append("a\($0)") }
    let identifier = dispatch.addHandler { received.append("b\($0)") }
    dispatch.addHandler { received.append("c\($0)") }
    #expect(dispatch.removeHandler(identifier))
    #expect(!dispatch.removeHandler(identifier))
    dispatch.notify(1)
    #expect(received == ["a1", "c1"])
  }

  @Test func `removing a handler releases what it captured, though the identifier is kept`() {
    let dispatch = EventDispatch<Int>()
    weak var captured: Witness?
    let identifier: EventDispatch<Int>.HandlerIdentifier
    do {
      let witness = Witness()
      captured = witness
      identifier = dispatch.addHandler { _ in witness.touch() }
    }
    #expect(captured != nil)
    dispatch.removeHandler(identifier)
    #expect(captured == nil)
  }

  @Test func `removing a handler breaks a retain cycle`() {
    final class Screen {
      let closed = EventDispatch<Void>()
      var identifier: EventDispatch<Void>.HandlerIdentifier?
      var isOpen = true
      init() { identifier = closed.addHandler { self.isOpen = false } }
    }
    weak var released: Screen?
    do {
      let screen = Screen()
      released = screen
      screen.closed.notify()
      #expect(!screen.isOpen)
      screen.closed.removeHandler(screen.identifier!)
    }
    #expect(released == nil)
  }

  @Test func `a once-handler is called once, and then releases what it captured`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    weak var captured: Witness?
    do {
      let witness = Witness()
      captured = witness
      dispatch.handleOnce { value in
        witness.touch()
        received.append(value)
      }
    }
    dispatch.notify(1)
    #expect(captured == nil)
    dispatch.notify(2)
    #expect(received == [1])
  }

  @Test func `an event of several values is taken apart by the handler's arguments`() {
    let dispatch = EventDispatch<(Int, String)>()
    var received: [String] = []
    dispatch.addHandler { (code, message) in received.append("\(code) \(message)") }
    dispatch.handleOnce { code, message in received.append("once \(code)") }
    dispatch.notify((200, "ok"))
    dispatch.notify((404, "not found"))
    #expect(received == ["200 ok", "once 200", "404 not found"])
  }

  @Test func `an event of nothing is notified without an argument`() {
    let dispatch = EventDispatch<Void>()
    var count = 0
    dispatch.addHandler { count += 1 }
    dispatch.notify()
    dispatch.notify(())
    #expect(count == 2)
  }

  @Test func `notifyIfChanged notifies of the new value unless it equals the old one`() {
    let dispatch = EventDispatch<String>()
    var received: [String] = []
    dispatch.addHandler { received.append($0) }
    dispatch.notifyIfChanged(old: "a", new: "a")
    #expect(received.isEmpty)
    dispatch.notifyIfChanged(old: "a", new: "b")
    dispatch.notifyIfChanged(old: "a", new: "b")
    #expect(received == ["b", "b"])
  }

  @Test func `what holds of a dispatch holds of what conforms to its protocol`() {
    struct Counted: EventDispatchProtocol {
      let inner = EventDispatch<Int>()
      func notify(_ event: Int) { inner.notify(event * 10) }
    }
    struct Bell: EventDispatchProtocol {
      let inner = EventDispatch<Void>()
      func notify(_ event: Void) { inner.notify(event) }
    }
    let (counted, bell) = (Counted(), Bell())
    var (received, rung): ([Int], Int) = ([], 0)
    counted.inner.addHandler { received.append($0) }
    bell.inner.addHandler { rung += 1 }
    counted.notifyIfChanged(old: 1, new: 1)
    counted.notifyIfChanged(old: 1, new: 2)
    bell.notify()
    #expect(received == [20] && rung == 1)
  }

  @Test func `values and closures need not be Sendable`() {
    let dispatch = EventDispatch<Witness>()
    var last: Witness?
    dispatch.addHandler { last = $0 }
    let witness = Witness()
    dispatch.notify(witness)
    #expect(last === witness)
  }

  @MainActor @Test func `a handler on the main actor uses the actor's state without a hop`() {
    final class Screen { var title = "" }
    let (screen, dispatch) = (Screen(), EventDispatch<String>())
    dispatch += { screen.title = $0 }
    dispatch <- "Prices"
    #expect(screen.title == "Prices")
  }
}

/// What the original did wrongly.
@Suite struct EventDispatchMends {
  @Test func `a once-handler that notifies is not called again`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    dispatch.handleOnce { value in
      received.append(value)
      if value < 3 { dispatch.notify(value + 1) }
    }
    dispatch.notify(1)
    #expect(received == [1])
  }

  @Test func `a once-handler that a nested notify has called is not called by the outer one`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    dispatch.addHandler { if $0 == 1 { dispatch.notify(2) } }
    dispatch.handleOnce { received.append($0) }
    dispatch.notify(1)
    #expect(received == [2])
  }

  @Test func `a once-handler can be removed before its event`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    let identifier = dispatch.handleOnce { received.append($0) }
    #expect(dispatch.removeHandler(identifier))
    dispatch.notify(1)
    #expect(received.isEmpty)
  }

  @Test func `a once-handler that has had its event cannot be removed, not even by itself`() {
    let dispatch = EventDispatch<Int>()
    var identifier: EventDispatch<Int>.HandlerIdentifier?
    var removed: [Bool] = []
    identifier = dispatch.handleOnce { _ in removed.append(dispatch.removeHandler(identifier!)) }
    dispatch.notify(1)
    removed.append(dispatch.removeHandler(identifier!))
    #expect(removed == [false, false])
  }

  @Test func `an identifier of one dispatch removes nothing from another`() {
    let (a, b) = (EventDispatch<Int>(), EventDispatch<Int>())
    var received: [String] = []
    let ofA = a.addHandler { received.append("a\($0)") }
    let ofB = b.addHandler { received.append("b\($0)") }
    #expect(ofA != ofB)
    #expect(!b.removeHandler(ofA))
    b -= ofA
    a.notify(1)
    b.notify(1)
    #expect(received == ["a1", "b1"])
    #expect(a.removeHandler(ofA) && b.removeHandler(ofB))
  }

  @Test func `an identifier outlives its dispatch and keeps neither it nor the handler`() {
    var dispatch: EventDispatch<Int>? = EventDispatch()
    weak let released = dispatch
    weak var captured: Witness?
    let identifier: EventDispatch<Int>.HandlerIdentifier
    do {
      let witness = Witness()
      captured = witness
      identifier = dispatch!.addHandler { _ in witness.touch() }
    }
    dispatch = nil
    #expect(released == nil && captured == nil)
    // The new ones are likely to have the address of the old one.
    for _ in 1...20 { #expect(!EventDispatch<Int>().removeHandler(identifier)) }
  }

  @Test func `identifiers are never given out twice`() {
    let dispatch = EventDispatch<Int>()
    var seen: Set<EventDispatch<Int>.HandlerIdentifier> = []
    for _ in 1...100 {
      let identifier = dispatch.addHandler { _ in }
      #expect(seen.insert(identifier).inserted)
      dispatch.removeHandler(identifier)
    }
    #expect(seen.count == 100)
  }

  @Test func `a handler may take away the last reference to its dispatch`() {
    final class Model { var changed: EventDispatch<Int>? = EventDispatch() }
    let model = Model()
    var received: [String] = []
    model.changed?.addHandler {
      model.changed = nil
      received.append("a\($0)")
    }
    model.changed?.addHandler { received.append("b\($0)") }
    model.changed?.notify(1)
    #expect(received == ["a1", "b1"])
  }

  @Test(.timeLimit(.minutes(20)))
  func `handlers that cause each other without end are stopped and reported by where the dispatch was made`() async {
    let line: UInt = #line + 1
    let dispatch = EventDispatch<Int>()
    let name = "EventDispatchTests.swift:\(line)"
    var (deepest, cycling) = (0, true)
    dispatch += {
      deepest = max(deepest, $0)
      if cycling { dispatch <- $0 + 1 }
    }
    let (reports, notified) = AsyncStream.makeStream(of: Diagnostics.Report.self)
    let subscription = Diagnostics.reports.filter { $0.message.contains(name) }.observe { notified.yield($0) }
    dispatch <- 1
    // Another test's report may be on its way to the same handlers, on another thread.
    let report = await reports.first { _ in true }
    subscription.cancel()
    #expect(deepest == 200)
    #expect(report?.labels.count == 2)  // one round: the one that was notified, and the one that was rejected
    cycling = false
    dispatch <- 1000
    #expect(deepest == 1000)
  }
}

final class Witness {
  private(set) var touches = 0
  func touch() { touches += 1 }
}
