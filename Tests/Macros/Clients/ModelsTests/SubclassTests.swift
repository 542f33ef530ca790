import Testing
import TidingsMacros
import TidingsTesting

@ObservedProperties @MainActor class Shape {
  var name = "shape"
  init() {}
}

@ObservedProperties @MainActor final class Circle: Shape {
  var radius = 1.0
  @Derived var line: String { "\($name.value) of \(radius)" }
}

@Suite("Subclasses")
@MainActor struct SubclassTests {
  @Test("A subclass observes its own properties, and derives from those of its superclass")
  func derived() {
    let (circle, received) = (Circle(), Recorder<String>())
    let token = circle.$line.observe { change in received(change.new) }
    circle.radius = 2
    circle.name = "circle"
    #expect(received.values == ["shape of 2.0", "circle of 2.0"])
    token.cancel()
  }

  @Test("Its snapshot holds the properties of its superclass as well, also when it is seen as one")
  func snapshot() {
    let circle = Circle()
    let before = circle.snapshot()
    circle.name = "circle"
    circle.radius = 2
    circle.restore(before)
    #expect(circle.line == "shape of 1.0")
    let shape: Shape = circle
    let seen = shape.snapshot()
    circle.radius = 5
    shape.restore(seen)
    #expect(circle.radius == 1)
  }

  @Test("`$changes` of a subclass names its own properties")
  func changes() {
    let (circle, received) = (Circle(), Recorder<Bool>())
    let token = circle.$changes.observe { change in received(change.contains(\.$radius)) }
    circle.radius = 3
    circle.name = "circle"
    #expect(received.values == [true])
    token.cancel()
  }
}
