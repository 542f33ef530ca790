import Testing
import TidingsMacros
import TidingsTesting

@Suite("Lifetime of models")
@MainActor struct LifetimeTests {
  @Test(
    "No object leaks: a model that was observed, derived and restored is released with its last reference, with its values",
    .timeLimit(.minutes(20)))
  func noLeak() async {
    let deinitialized = Recorder<Void>()
    var total: Derived<Int>?
    weak var released: Cargo?
    do {
      let cargo = Cargo(Witness(deinitialized))
      released = cargo
      total = cargo.$total
      var subscriptions: Set<Subscription> = []
      cargo.$total.observe { _ in }.store(in: &subscriptions)
      cargo.$changes.observe { _ in }.store(in: &subscriptions)
      cargo.$last.observe { [weak cargo] _ in _ = cargo?.weight }.store(in: &subscriptions)
      let before = cargo.snapshot()
      cargo.last = Witness(deinitialized)
      cargo.weight = 3
      cargo.restore(before)
      cargo.weight = 5
    }
    #expect(released == nil)
    #expect(total?.value == 10, "a derived property keeps what it reads, and not the object")
    total = nil
    #expect(await deinitialized.values(atLeast: 2).count == 2)
  }

  @Test("A model that Observation tracks is released with its last reference")
  func observable() {
    weak var released: Screen?
    do {
      let screen = Screen()
      released = screen
      _ = screen.title
      screen.title = "other"
    }
    #expect(released == nil)
  }

  @Test("A subscription that its model keeps does not keep the model")
  func own() {
    weak var released: Cargo?
    do {
      let cargo = Cargo(Witness(Recorder()))
      released = cargo
      cargo.follow()
      cargo.weight = 2
      #expect(cargo.last == nil)
    }
    #expect(released == nil)
  }
}

@ObservedProperties @MainActor private final class Cargo {
  var weight = 1
  var last: Witness?
  @Unobserved private var subscriptions: Set<Subscription> = []
  @Derived var total: Int { weight * 2 }
  init(_ last: Witness) { self.last = last }

  func follow() {
    $weight.observe(with: self) { cargo, _ in cargo.last = nil }.store(in: &subscriptions)
  }
}
