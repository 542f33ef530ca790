import Testing
import TidingsMacros
import TidingsTesting

@globalActor actor TradingActor {
  static let shared = TradingActor()
}

@ObservedProperties @TradingActor final class Firm {
  var open = 0
  @Derived var isBusy: Bool { open > 1 }
  func trade() { open += 1 }
  init() {}
}

@Suite("Models of a global actor")
struct GlobalActorTests {
  @TradingActor @Test("Assignments call the handlers of the actor in place")
  func inPlace() {
    let (firm, received) = (Firm(), Recorder<Int>())
    let token = firm.$open.observe { change in received(change.new) }
    firm.trade()
    #expect(received.values == [1])
    firm.open += 1
    #expect(received.values == [1, 2])
    token.cancel()
  }

  @Test("Its properties are read, observed and updated from anywhere")
  func elsewhere() async {
    let firm = await Firm()
    let received = Recorder<Bool>()
    let token = firm.$isBusy.observe { change in received(change.new) }
    firm.$open.update { $0 += 1 }
    firm.$open.update { $0 += 1 }
    #expect(received.values == [true])
    #expect(await firm.open == 2)
    token.cancel()
  }
}
