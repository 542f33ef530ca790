import Testing
import Tidings
import TidingsTesting

/// The package's own way to cancel, for code that was written for observers that iterate over a copy.
@Suite struct CancelAfterCurrentEmitTests {
  private final class Scene {
    let event: LocalEvent<Int>
    var tokens: [String: LocalSubscription] = [:]
    var received: [String] = []

    init(_ policy: DeliveryPolicy) { event = LocalEvent(policy: policy) }

    func add(_ name: String, _ then: @escaping (Int) -> Void = { _ in }) {
      tokens[name] = event.observe { [unowned self] value in
        received.append("\(name)\(value)")
        then(value)
      }
    }
    func retire(_ name: String) { tokens[name]!.cancelAfterCurrentEmit() }
  }

  @Test(arguments: [DeliveryPolicy.serial, .immediate])
  func `the value under way still reaches the handler, no later one does`(policy: DeliveryPolicy) {
    let scene = Scene(policy)
    scene.add("a") { [unowned scene] _ in
      scene.retire("b")
      #expect(!scene.tokens["b"]!.isActive)
      #expect(scene.event.diagnostics.count == 2)
    }
    scene.add("b")
    scene.add("c")
    scene.event.emit(1)
    scene.event.emit(2)
    #expect(scene.received == ["a1", "b1", "c1", "a2", "c2"])
  }

  @Test func `when values nest, every delivery that has begun still reaches the handler, no later one does`() {
    let scene = Scene(.immediate)
    scene.add("a") { [unowned scene] value in
      if value == 2 { scene.retire("b") }
      if value < 3 { scene.event.emit(value + 1) }
    }
    scene.add("b")
    scene.event.emit(1)
    #expect(scene.received == ["a1", "a2", "a3", "b2", "b1"])
  }

  @Test func `when values queue, those that wait do not reach the handler`() {
    let scene = Scene(.serial)
    scene.add("a") { [unowned scene] value in
      if value == 1 { scene.event.emit(contentsOf: [2, 3]) }
      if value == 2 { scene.retire("b") }
    }
    scene.add("b")
    scene.event.emit(1)
    #expect(scene.received == ["a1", "b1", "a2", "b2", "a3"])
  }

  @Test func `a handler does not receive a delivery that began before it was added or resumed`() {
    let scene = Scene(.immediate)
    scene.add("a") { [unowned scene] value in
      if value == 1 {
        scene.add("x")
        scene.tokens["b"]!.resume()
        scene.event.emit(2)
      } else {
        scene.retire("b")
        scene.retire("x")
      }
    }
    scene.add("b")
    scene.tokens["b"]!.pause()
    scene.event.emit(1)
    #expect(scene.received == ["a1", "a2", "b2", "x2"])
  }

  @Test func `between two values that queue, the next is one that has not begun`() {
    let scene = Scene(.serial)
    scene.add("a") { [unowned scene] value in
      guard value == 1 else { return }
      scene.event.emit(contentsOf: [2, 3])
      scene.tokens["callback"]!.cancel()
    }
    do {
      let callback = LastWords { [unowned scene] in scene.retire("b") }
      scene.add("callback") { _ in callback.touch() }
    }
    scene.add("b")
    scene.event.emit(1)
    #expect(scene.received == ["a1", "b1", "a2", "a3"])
  }

  @Test func `while nothing is delivered it is cancel`() {
    let (scene, canaries) = (Scene(.immediate), Canaries())
    scene.add("a") { [canary = canaries.make()] _ in canary.touch() }
    scene.retire("a")
    #expect(canaries.alive == 0)
    scene.event.emit(1)
    #expect(scene.received.isEmpty)
  }

  @Test func `a paused handler ends immediately`() {
    let scene = Scene(.immediate)
    scene.add("a") { [unowned scene] _ in
      scene.tokens["b"]!.pause()
      scene.retire("b")
      scene.tokens["b"]!.resume()
    }
    scene.add("b")
    scene.event.emit(1)
    scene.event.emit(2)
    #expect(scene.received == ["a1", "a2"])
  }

  @Test func `to cancel, pause, resume or drop a token that has ended so changes nothing`() {
    let scene = Scene(.immediate)
    scene.add("a") { [unowned scene] _ in
      guard let token = scene.tokens.removeValue(forKey: "b") else { return }
      token.cancelAfterCurrentEmit()
      token.pause()
      token.resume()
      token.cancel()
      token.cancelAfterCurrentEmit()
    }
    scene.add("b")
    scene.event.emit(1)
    scene.event.emit(2)
    #expect(scene.received == ["a1", "b1", "a2"])
  }

  @Test func `cancelAll ends the handlers that are on their way out too, and releases everything`() {
    let (scene, canaries) = (Scene(.immediate), Canaries())
    scene.add("a") { [unowned scene] _ in
      scene.retire("b")
      scene.event.cancelAll()
      scene.add("z")
    }
    scene.add("b") { [canary = canaries.make()] _ in canary.touch() }
    scene.event.emit(1)
    #expect(canaries.alive == 0)
    scene.event.emit(2)
    #expect(scene.received == ["a1", "z2"])
    #expect(scene.event.diagnostics.count == 1)
  }

  @Test func `once, ended by an inner delivery, is called by that one alone`() {
    let scene = Scene(.immediate)
    scene.add("a") { [unowned scene] value in
      if value == 1 { scene.event.emit(2) } else { scene.retire("once") }
    }
    scene.tokens["once"] = scene.event.once { [unowned scene] in scene.received.append("once\($0)") }
    scene.event.emit(1)
    #expect(scene.received == ["a1", "a2", "once2"])
  }

  @Test func `the captures are released when the outermost delivery is over, and the places are used again`() {
    let (event, canaries) = (LocalEvent<Int>(policy: .immediate), Canaries())
    var (tokens, calls): ([LocalSubscription], Int) = ([], 0)
    let first = event.observe { _ in
      for token in tokens { token.cancelAfterCurrentEmit() }
      // More than there is room for: the list grows while it is walked.
      tokens = (0..<100).map { _ in
        event.observe { [canary = canaries.make()] _ in
          canary.touch()
          calls += 1
        }
      }
    }
    for value in 1...50 { event.emit(value) }
    #expect(calls == 49 * 100)
    for token in tokens { token.cancel() }
    tokens = []
    first.cancel()
    #expect(event.diagnostics.count == 0 && canaries.alive == 0)
  }

  @Test func `the event keeps a kept handler without its token, and releases it when it is deinitialized`() {
    var (event, canaries) = (LocalEvent<Int>(policy: .immediate) as LocalEvent?, Canaries())
    var received: [Int] = []
    event?.keep { [canary = canaries.make()] value in
      canary.touch()
      received.append(value)
    }
    event?.emit(1)
    event?.keep { received.append(-$0) }.cancel()
    event?.emit(2)
    #expect(received == [1, 2])
    event = nil
    #expect(canaries.alive == 0)
  }
}

private final class LastWords {
  private let atEnd: () -> Void
  init(_ atEnd: @escaping () -> Void) { self.atEnd = atEnd }
  deinit { atEnd() }
  func touch() {}
}
