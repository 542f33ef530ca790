import ObservableSwift
import Testing
import TidingsTesting

@Suite struct ObservableSwiftContractTests {
  /// A struct event where several can reach it, as a program stores it.
  private final class Station { var event = Event<Int>() }

  /// It does not keep the subscription: one that is kept keeps its handler, since it can be added again.
  private typealias Remove = () -> Void

  private static let depthFirst = [
    2: "depth-first, as the dialects are: of two values that nest, a later handler receives the inner one first",
    4: "depth-first, as the dialects are: what a handler notifies of is notified immediately",
  ]

  @Test func `an event keeps the contract but for what depth-first delivery overrides`() async {
    var type = EventUnderTest<Station, Remove>(
      "Event", make: { Station() },
      add: { station, handler in
        let subscription = station.event.add(handler)
        return { [weak station, weak subscription] in if let subscription { station?.event.remove(subscription) } }
      }, emit: { $0.event.notify($1) }, cancel: { $0() })
    type.maximumDepth = 200
    type.addWithOwner = { station, owner, handler in
      station.event.add(owner: owner) { [weak owner] in if let owner { handler(owner, $0) } }
    }
    await expectContract(type, except: Self.depthFirst, kept: [1, 3, 5, 6, 9, 11, 14, 15, 23])
  }

  @Test func `an event reference keeps the contract but for what depth-first delivery overrides`() async {
    var type = EventUnderTest<EventReference<Int>, Remove>(
      "EventReference", make: { EventReference<Int>() },
      add: { event, handler in
        let subscription = event.add(handler)
        return { [weak subscription] in subscription?.invalidate() }
      }, emit: { $0.notify($1) }, cancel: { $0() })
    type.maximumDepth = 200
    type.addWithOwner = { event, owner, handler in
      event.add(owner: owner) { [weak owner] in if let owner { handler(owner, $0) } }
    }
    await expectContract(type, except: Self.depthFirst, kept: [1, 3, 5, 6, 9, 11, 14, 15, 23])
  }

  @Test func `an observable reference keeps all of the contract that is for one isolation`() async {
    var type = EventUnderTest<ObservableReference<Int>, Remove>(
      "ObservableReference", make: { ObservableReference(0) },
      add: { observable, handler in
        let subscription = observable.afterChange.add { handler($0.newValue) }
        return { [weak observable, weak subscription] in
          if let observable, let subscription { observable -= subscription }
        }
      }, emit: { $0 <- $1 }, cancel: { $0() })
    type.maximumDepth = 10_000
    type.addWithOwner = { observable, owner, handler in
      observable.afterChange.add(owner: owner) { [weak owner] in if let owner { handler(owner, $0.newValue) } }
    }
    await expectContract(type, kept: [1, 2, 3, 4, 5, 6, 9, 11, 14, 15, 23])
  }

  @Test func `so does a chain`() async {
    typealias Source = (base: ObservableReference<ObservableReference<Int>>, target: ObservableReference<Int>)
    var type = EventUnderTest<Source, Remove>(
      "ObservableChainingProxy",
      make: {
        let target = ObservableReference(0)
        return (ObservableReference(target), target)
      },
      add: { source, handler in
        let event = (source.base / { $0 }).afterChange
        let subscription = event.add { handler($0.newValue ?? -1) }
        return { [weak subscription] in subscription?.invalidate() }
      }, emit: { $0.target <- $1 }, cancel: { $0() })
    type.addWithOwner = { source, owner, handler in
      (source.base / { $0 }).afterChange.add(owner: owner) { [weak owner] in
        if let owner { handler(owner, $0.newValue ?? -1) }
      }
    }
    await expectContract(type, kept: [1, 2, 3, 4, 5, 6, 9, 11, 14, 15])
  }
}
