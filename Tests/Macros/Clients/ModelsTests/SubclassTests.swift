import Testing
import TidingsMacros
import TidingsTesting

@ObservedProperties @MainActor class Shape {
  var name = "shape"
  init() {}
}

@ObservedProperties @MainActor final class Disc: Shape {
  var radius = 1.0
  @Derived var line: String { "\($name.value) of \(radius)" }
}

@Suite("Subclasses")
@MainActor struct SubclassTests {
  @Test("A subclass observes its own properties, and derives from those of its superclass")
  func derived() {
    let (disc, received) = (Disc(), Recorder<String>())
    let token = disc.$line.observe { change in received(change.new) }
    disc.radius = 2
    disc.name = "disc"
    #expect(received.values == ["shape of 2.0", "disc of 2.0"])
    token.cancel()
  }

  @Test("Its snapshot holds the properties of its superclass as well, also when it is seen as one")
  func snapshot() {
    let disc = Disc()
    let before = disc.snapshot()
    disc.name = "disc"
    disc.radius = 2
    disc.restore(before)
    #expect(disc.line == "shape of 1.0")
    let shape: Shape = disc
    let seen = shape.snapshot()
    disc.radius = 5
    shape.restore(seen)
    #expect(disc.radius == 1)
  }

  @Test("`$changes` of a subclass names its own properties")
  func changes() {
    let (disc, received) = (Disc(), Recorder<Bool>())
    let token = disc.$changes.observe { change in received(change.contains(\.$radius)) }
    disc.radius = 3
    disc.name = "disc"
    #expect(received.values == [true])
    token.cancel()
  }
}
