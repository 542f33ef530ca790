// swift-format-ignore-file: NoAssignmentInExpressions
// What `+=` gives is the identifier.

import EventDispatching
import Testing

/// What a handler adds or removes counts from the next notify on, a nested one included.
@Suite struct NextNotify {
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
    func addOnce(_ name: String) {
      identifiers[name] = dispatch.handleOnce { [unowned self] in received.append("\(name)\($0)") }
    }
    @discardableResult
    func remove(_ name: String) -> Bool { dispatch.removeHandler(identifiers[name]!) }
  }

  @Test func `a handler that a handler removes still receives this event, and no later one`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] _ in scene.remove("b") }
    scene.add("b")
    scene.add("c")
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "b1", "c1"])
    scene.dispatch.notify(2)
    #expect(scene.received == ["a1", "b1", "c1", "a2", "c2"])
  }

  @Test func `a handler that a handler adds does not receive this event, but the next`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] in if $0 == 1 { scene.add("b") } }
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1"])
    scene.dispatch.notify(2)
    #expect(scene.received == ["a1", "a2", "b2"])
  }

  @Test func `a handler that removes itself is not called again`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] _ in scene.remove("a") }
    scene.dispatch.notify(1)
    scene.dispatch.notify(2)
    #expect(scene.received == ["a1"])
  }

  @Test func `a removed handler counts as removed immediately, in what removeHandler says`() {
    let scene = Scene()
    var said: [Bool] = []
    scene.add("a") { [unowned scene] _ in said += [scene.remove("b"), scene.remove("b")] }
    scene.add("b")
    scene.dispatch.notify(1)
    #expect(said == [true, false])
    #expect(scene.received == ["a1", "b1"])
  }

  @Test func `a nested notify is a next one: it passes the removed handler over, the outer one does not`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] value in
      guard value == 1 else { return }
      scene.remove("b")
      scene.dispatch.notify(2)
    }
    scene.add("b")
    scene.add("c")
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "a2", "c2", "b1", "c1"])
  }

  @Test func `a handler removed in a nested notify still receives both events`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] value in
      if value == 1 { scene.dispatch.notify(2) } else { scene.remove("b") }
    }
    scene.add("b")
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "a2", "b2", "b1"])
    scene.remove("a")
    scene.dispatch.notify(3)
    #expect(scene.received == ["a1", "a2", "b2", "b1"])
  }

  @Test func `a handler added by the outer and removed by the nested notify receives the nested one alone`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] value in
      if value == 1 {
        scene.add("x")
        scene.dispatch.notify(2)
      } else {
        scene.remove("x")
      }
    }
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "a2", "x2"])
  }

  @Test func `a handler that is added and removed by one handler is never called`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] _ in
      scene.add("x")
      scene.remove("x")
    }
    scene.dispatch.notify(1)
    scene.dispatch.notify(2)
    #expect(scene.received == ["a1", "a2"])
  }

  @Test func `the last handler may remove the first, and every handler all of them`() {
    let scene = Scene()
    for name in ["a", "b", "c"] {
      scene.add(name) { [unowned scene] _ in for name in ["a", "b", "c"] { scene.remove(name) } }
    }
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "b1", "c1"])
    scene.dispatch.notify(2)
    #expect(scene.received == ["a1", "b1", "c1"])
  }

  @Test func `a once-handler that is removed by a handler still receives this event, once`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] _ in scene.remove("once") }
    scene.addOnce("once")
    scene.dispatch.notify(1)
    scene.dispatch.notify(2)
    #expect(scene.received == ["a1", "once1", "a2"])
  }

  @Test func `a once-handler removed in a nested notify receives that one, and not the outer one too`() {
    let scene = Scene()
    scene.add("a") { [unowned scene] value in
      if value == 1 { scene.dispatch.notify(2) } else { scene.remove("once") }
    }
    scene.addOnce("once")
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "a2", "once2"])
  }

  @Test func `what a handler removed captures lives until the outermost notify is over`() {
    let dispatch = EventDispatch<Int>()
    weak var captured: Witness?
    var identifier: EventDispatch<Int>.HandlerIdentifier?
    var alive: [Bool] = []
    dispatch += { if $0 == 1 { dispatch <- 2 } else { dispatch.removeHandler(identifier!) } }
    do {
      let witness = Witness()
      captured = witness
      identifier = dispatch += { _ in witness.touch() }
    }
    dispatch += { _ in alive.append(captured != nil) }
    dispatch <- 1
    #expect(alive == [true, true])
    #expect(captured == nil)
  }

  @Test func `the destruction of a removed handler's captures may use the dispatch`() {
    final class DeinitAction {
      let atEnd: () -> Void
      init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
      deinit { atEnd() }
      func touch() {}
    }
    let scene = Scene()
    var identifier: EventDispatch<Int>.HandlerIdentifier?
    scene.add("a") { [unowned scene] _ in
      if let removed = identifier { scene.dispatch.removeHandler(removed) }
    }
    do {
      let action = DeinitAction { [unowned scene] in
        scene.remove("a")
        scene.add("z")
        scene.dispatch.notify(9)
      }
      identifier = scene.dispatch.addHandler { _ in action.touch() }
    }
    scene.dispatch.notify(1)
    #expect(scene.received == ["a1", "z9"])
  }
}
