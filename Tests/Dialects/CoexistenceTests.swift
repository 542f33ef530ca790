// One file that imports the core and all five dialects, and Foundation. Where two modules use one name, either the scoped
// import below says which of them is meant by the bare name, or the module's name before it does.
import ClosureEvents
import EventDispatching
import Foundation
import ObservableSwift
import SimpleNotifier
import SubjectObserver
import Testing
import Tidings

// In this file `Event` is the core's, and `Notification` is what a `Subject` sends.
import protocol SubjectObserver.Notification
import class Tidings.Event

@Suite struct CoexistenceTests {
  @Test func `the core, the five dialects and Foundation are used side by side`() {
    final class Market: Sendable {}
    struct PriceArgs: EventArgs { let price: Double }
    final class Priced: Notification {
      let data: Any?
      init(_ price: Double) { data = price }
    }
    final class Listener: Observer {
      let received: ChangeRecorder
      init(_ received: ChangeRecorder) { self.received = received }
      func notify(with notification: any Notification) { received.prices.append(notification.data as? Double ?? 0) }
    }
    let (received, market) = (ChangeRecorder(), Market())

    let core = Event<Double>("market.priced")
    let subscription = core.observe { received.prices.append($0) }
    core.emit(1)

    let closures = ClosureEvents.Event<Market, PriceArgs>(sender: market, delivery: .immediate)
    closures += Closure { _, args in received.prices.append(args.price) }
    closures.invoke(with: PriceArgs(price: 2))

    let notifier = Notifier<Double>()
    notifier.observe { received.prices.append($0) }
    notifier.send(3)

    let dispatch = EventDispatch<Double>()
    dispatch += { received.prices.append($0) }
    dispatch <- 4

    let (subject, listener) = (Subject(), Listener(received))
    subject += listener
    subject ~> Priced(5)

    var value = Observable(0.0)
    value += { received.prices.append($0) }
    value <- 6

    var values = ObservableSwift.Event<Double>()
    values += { received.prices.append($0) }
    values.notify(7)

    let posted = Foundation.Notification(name: Foundation.Notification.Name("priced"), object: 8.0)
    received.prices.append(posted.object as? Double ?? 0)

    #expect(received.prices == [1, 2, 3, 4, 5, 6, 7, 8])
    withExtendedLifetime((subscription, listener)) {}
  }

  @Test func `one arrow serves both dialects that use it, with the precedence of an assignment`() {
    let dispatch = EventDispatch<Int>()
    var value = Observable(0)
    let reference = ObservableReference(0)
    var received: [Int] = []
    dispatch += { received.append($0) }
    value += { received.append($0) }
    reference += { received.append($0) }
    let (price, tax) = (40, 2)
    dispatch <- price + tax
    value <- price + tax + 1
    reference <- price > tax ? price : tax
    dispatch <- (value^, value^)
    dispatch <- (value^, reference^)
    #expect(received == [42, 43, 40, 40])
  }

  @Test func `arithmetic is as it was`() {
    var (sum, text, list) = (1, "a", [1])
    sum += 2
    sum -= 1
    text += "b"
    list += [2]
    #expect(sum == 2 && text == "ab" && list == [1, 2])
    #expect(6 & 3 == 2 && 7 / 2 == 3 && 6 ^ 3 == 5)
    sum ^= 3
    #expect(sum == 1)
  }
}

/// Written and read by one thread.
private final class ChangeRecorder: @unchecked Sendable { var prices: [Double] = [] }
