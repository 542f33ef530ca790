// swift-format-ignore-file: NoAssignmentInExpressions
// `+=` returns the identifier.

import EventDispatching
import Testing

/// A dispatch does what the original documents beside the contract, and what was fixed.
@Suite struct EventDispatchingTests {
  // MARK: Kept of the original

  @Test func `what holds of a dispatch holds of what conforms to its protocol`() {
    struct Counted: EventDispatchProtocol {
      let inner = EventDispatch<Int>()
      func notify(_ event: Int) { inner.notify(event * 10) }
    }
    let counted = Counted()
    var received: [Int] = []
    counted.inner.addHandler { received.append($0) }
    counted.notifyIfChanged(old: 1, new: 1)
    counted.notifyIfChanged(old: 1, new: 2)
    #expect(received == [20])
  }

  @MainActor @Test func `events need not be Sendable, and handlers use the actor's state without a hop`() {
    final class Page {}
    let (page, dispatch) = (Page(), EventDispatch<Page>())
    var last: Page?
    dispatch += { last = $0 }
    dispatch <- page
    #expect(last === page)
  }

  // MARK: What a handler adds or removes counts from the next notify on

  private final class Scene {
    let dispatch = EventDispatch<Int>()
    var identifiers: [String: EventDispatch<Int>.HandlerIdentifier] = [:]
    var received: [String] = []

    func add(_ name: String, _ then: @escaping (Int) -> Void = { _ in }) {
      identifiers[name] = dispatch.addHandler { [unowned self] value in
        received.append("\(name)\(value)")
        then(value)
      }
    }
    @discardableResult
    func remove(_ name: String) -> Bool { dispatch.removeHandler(identifiers[name]!) }
  }

  @Test func `a nested notify is a next one: it reaches what was added and not what was removed, unlike the outer one`()
  {
    let scene = Scene()
    scene.add("a") { [unowned scene] value in
      guard value == 1 else { return }
      scene.remove("b")
      scene.add("d")
      scene.dispatch.notify(2)
    }
    scene.add("b")
    scene.add("c")
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "a2", "c2", "d2", "b1", "c1"])
  }

  @Test func `what a removed handler captures lives until the outermost notify is over, and may then use the dispatch`()
  {
    let scene = Scene()
    scene.add("a") { [unowned scene] in if $0 == 1 { scene.dispatch.notify(2) } else { scene.remove("b") } }
    do {
      let witness = Witness { [unowned scene] in
        scene.remove("a")
        scene.add("z")
        scene.dispatch.notify(9)
      }
      scene.identifiers["b"] = scene.dispatch.addHandler { _ in witness.touch() }
    }
    scene.add("c")
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "a2", "c2", "c1", "c9", "z9"])
  }

  // MARK: Fixed

  @Test func `a once-handler that notifies, or that a nested notify has called, is not called again`() {
    let dispatch = EventDispatch<Int>()
    var received: [String] = []
    dispatch.addHandler { if $0 == 1 { dispatch.notify(2) } }
    dispatch.handleOnce { value in
      received.append("first \(value)")
      dispatch.notify(value + 1)
    }
    dispatch.handleOnce { received.append("second \($0)") }
    dispatch.notify(1)
    #expect(received == ["first 2", "second 3"])
  }

  @Test func `a once-handler can be removed before its event, and not after it, not even by itself`() {
    let dispatch = EventDispatch<Int>()
    var received: [Int] = []
    let early = dispatch.handleOnce { received.append($0) }
    #expect(dispatch.removeHandler(early))
    var late: EventDispatch<Int>.HandlerIdentifier?
    var removed: [Bool] = []
    late = dispatch.handleOnce { _ in removed.append(dispatch.removeHandler(late!)) }
    dispatch.notify(1)
    removed.append(dispatch.removeHandler(late!))
    #expect(received.isEmpty && removed == [false, false])
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

  @Test(.timeLimit(.minutes(20)))
  func `handlers that cause each other without end are reported by where the dispatch was made`() async {
    let line: UInt = #line + 1
    let dispatch = EventDispatch<Int>()
    dispatch += { if $0 < 400 { dispatch <- $0 + 1 } }
    let length = await lengthOfCycle(reportedOf: "EventDispatchingTests.swift:\(line)") { dispatch <- 1 }
    #expect(length == 2)  // one round: the one that was notified, and the one that was rejected
  }
}
