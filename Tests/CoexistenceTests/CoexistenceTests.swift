// One file that imports the core and the dialects. Where two modules use one name, either the scoped import below says
// which of them is meant by the bare name, or the module's name before it does.
import EventDispatching
import Foundation
import SimpleNotifier
import Testing
import Tidings

// In this file `Event` is the core's.
import class Tidings.Event

@Suite struct CoexistenceTests {
  @Test func `the core and the dialects tell of one price`() {
    let priced = Event<Double>("market.priced")
    let notifier = Notifier<Double>()
    let dispatch = EventDispatch<Double>()
    var heard: [Double] = []
    notifier.observe { heard.append($0) }
    dispatch += { heard.append($0) }
    let core = Heard()
    let subscription = priced.observe { core.prices.append($0) }
    priced.emit(39.81)
    notifier.send(36.35)
    dispatch <- 43.22
    #expect(core.prices == [39.81] && heard == [36.35, 43.22])
    subscription.cancel()
  }

  @Test func `the bare name is the core's event`() {
    let core: Event<Int> = Event("numbers")
    #expect(type(of: core) == Tidings.Event<Int>.self)
  }

  @Test func `the arrow has the precedence of an assignment`() {
    let dispatch = EventDispatch<Int>()
    var heard: [Int] = []
    dispatch += { heard.append($0) }
    let (price, tax) = (40, 2)
    dispatch <- price + tax
    dispatch <- price > tax ? price : tax
    #expect(heard == [42, 40])
  }

  @Test func `arithmetic is as it was`() {
    var (sum, text, list) = (1, "a", [1])
    sum += 2
    sum -= 1
    text += "b"
    list += [2]
    #expect(sum == 2 && text == "ab" && list == [1, 2])
    #expect(6 & 3 == 2 && 7 / 2 == 3 && 6 ^ 3 == 5)
  }
}

/// Written and read by one thread.
private final class Heard: @unchecked Sendable { var prices: [Double] = [] }
