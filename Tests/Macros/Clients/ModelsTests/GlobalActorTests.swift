import Testing
import TidingsMacros
import TidingsTesting

@globalActor actor TradingActor {
  static let shared = TradingActor()
}

@ObservedProperties @TradingActor final class Desk {
  var open = 0
  @Derived var isBusy: Bool { open > 1 }
  func trade() { open += 1 }
  init() {}
}

@Suite("Models of a global actor")
struct GlobalActorTests {
  @TradingActor @Test("Assignments call the handlers of the actor in place")
  func inPlace() {
    let (desk, received) = (Desk(), Recorder<Int>())
    let token = desk.$open.observe { change in received(change.new) }
    desk.trade()
    #expect(received.values == [1])
    desk.open += 1
    #expect(received.values == [1, 2])
    token.cancel()
  }

  @Test("Its properties are read, observed and updated from anywhere")
  func elsewhere() async {
    let desk = await Desk()
    let received = Recorder<Bool>()
    let token = desk.$isBusy.observe { change in received(change.new) }
    desk.$open.update { $0 += 1 }
    desk.$open.update { $0 += 1 }
    #expect(received.values == [true])
    #expect(await desk.open == 2)
    token.cancel()
  }
}
