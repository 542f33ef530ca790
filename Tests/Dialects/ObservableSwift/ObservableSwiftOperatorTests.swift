// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

/// Each form of handler on each kind of receiver. What a form means is fixed by what it appends; that it compiles, by being here.
@Suite struct ObservableSwiftOperatorTests {
  @Test func `setting takes a whole expression`() {
    var x = Observable(0)
    let (y, isOpen) = (ObservableReference(1), true)
    x <- y^ + 1
    #expect(x^ == 2)
    x <- isOpen ? 5 : 6
    y <- x^ * 2 - 1
    #expect((x^, y^) == (5, 9))
    y ^= isOpen && x^ > 3 ? 1 : 0
    #expect(y^ == 1)
    let text = ObservableReference<String?>(nil)
    text <- text^ ?? "none"
    #expect(text^ == "none")
  }

  @Test func `on events: the value, or nothing`() {
    var event = Event<Int>()
    let reference = EventReference<Int>()
    let owner = Witness()
    var received: [String] = []
    event += { received.append("1:\($0)") }
    event += { received.append("2") }
    event.add { received.append("3:\($0)") }
    event.add { received.append("4") }
    event.add(owner: owner) { received.append("5:\($0)") }
    event.add(owner: owner) { received.append("6") }
    event.notify(7)
    #expect(received == ["1:7", "2", "3:7", "4", "5:7", "6"])
    received = []
    reference += { received.append("1:\($0)") }
    reference += { received.append("2") }
    reference.add { received.append("3:\($0)") }
    reference.add { received.append("4") }
    reference.add(owner: owner) { received.append("5:\($0)") }
    reference.add(owner: owner) { received.append("6") }
    reference.notify(8)
    #expect(received == ["1:8", "2", "3:8", "4", "5:8", "6"])
    withExtendedLifetime(owner) {}
  }

  @Test func `on the events of an observable: the change, both values, the new one, or nothing`() {
    var x = Observable(0)
    let owner = Witness()
    var received: [String] = []
    x.afterChange += { change in received.append("1:\(change.oldValue)\(change.newValue)") }
    x.afterChange += { (old, new) in received.append("2:\(old)\(new)") }
    x.afterChange += { new in received.append("3:\(new + 0)") }
    x.afterChange += { received.append("4") }
    x.afterChange.add { received.append("5:\($0.newValue)") }
    x.afterChange.add { (old, new) in received.append("6:\(old)\(new)") }
    x.afterChange.add { (new: Int) in received.append("7:\(new)") }
    x.afterChange.add { received.append("8") }
    x.afterChange.add(owner: owner) { received.append("9:\($0.newValue)") }
    x.afterChange.add(owner: owner) { (old, new) in received.append("10:\(old)\(new)") }
    x.afterChange.add(owner: owner) { (new: Int) in received.append("11:\(new)") }
    x.afterChange.add(owner: owner) { received.append("12") }
    x <- 1
    #expect(received == ["1:01", "2:01", "3:1", "4", "5:1", "6:01", "7:1", "8", "9:1", "10:01", "11:1", "12"])
    withExtendedLifetime(owner) {}
  }

  @Test func `on observables: the same forms, each of which can be taken away`() {
    var x = Observable(0)
    let reference = ObservableReference(0)
    var received: [String] = []
    x.beforeChange += { received.append("before") }
    reference.beforeChange += { received.append("before") }
    let onValue = [
      x += { (change: ValueChange<Int>) in received.append("1:\(change.newValue)") },
      x += { (old, new) in received.append("2:\(old)\(new)") },
      x += { received.append("3:\($0 + 0)") },
      x += { received.append("4") },
    ]
    let onReference = [
      reference += { (change: ValueChange<Int>) in received.append("1:\(change.newValue)") },
      reference += { (old, new) in received.append("2:\(old)\(new)") },
      reference += { received.append("3:\($0 + 0)") },
      reference += { received.append("4") },
    ]
    x <- 1
    #expect(received == ["before", "1:1", "2:01", "3:1", "4"])
    received = []
    reference <- 1
    #expect(received == ["before", "1:1", "2:01", "3:1", "4"])
    received = []
    for subscription in onValue { x -= subscription }
    for subscription in onReference { reference -= subscription }
    x <- 2
    reference <- 2
    #expect(received == ["before", "before"])
  }

  @Test func `a bare argument means the new value to an operator, and the whole change to a method`() {
    var x = Observable(0)
    var received: [Any] = []
    x += { received.append($0) }
    x.afterChange += { received.append($0) }
    x.afterChange.add { received.append($0) }
    x <- 1
    #expect(received[0] is Int && received[1] is Int && received[2] is ValueChange<Int>)
  }

  @Test func `a variable that holds a reference works as a constant does`() {
    let constants = (x: ObservableReference(0), event: EventReference<Int>())
    var (x, event) = constants
    var received: [Int] = []
    let added = [x += { received.append($0) }, constants.x += { received.append($0) }]
    let pressed = [event += { received.append($0) }, constants.event += { received.append($0) }]
    x <- 1
    constants.x ^= 2
    event.notify(3)
    x -= added[0]
    constants.x -= added[1]
    event -= pressed[0]
    constants.event -= pressed[1]
    x ^= 4
    event.notify(5)
    #expect(received == [1, 1, 2, 2, 3, 3])
    (x, event) = (ObservableReference(5), EventReference())
    #expect(x^ == 5 && constants.x^ == 4)
  }

  @Test func `a type of a client's that is an observable takes every operator`() {
    final class Knob: OwnableObservable, WritableObservable {
      private let turned = ObservableReference(0)
      var value: Int {
        get { turned.value }
        set { turned.value = min(newValue, 10) }
      }
      var beforeChange: EventReference<ValueChange<Int>> { turned.beforeChange }
      var afterChange: EventReference<ValueChange<Int>> { turned.afterChange }
    }
    struct Dial: UnownableObservable {
      var inner = Observable(0)
      var value: Int {
        get { inner.value }
        set { inner.value = newValue }
      }
      var beforeChange: EventReference<ValueChange<Int>> { inner.beforeChange }
      var afterChange: EventReference<ValueChange<Int>> { inner.afterChange }
      mutating func unshare(removeSubscriptions: Bool) { inner.unshare(removeSubscriptions: removeSubscriptions) }
    }
    let knob = Knob()
    var dial = Dial()
    var received: [Int] = []
    let both = knob & dial
    let target = knob / { $0 > 5 ? knob : nil }
    knob += { received.append($0) }
    dial += { received.append(-$0) }
    knob <- 12
    dial <- 3
    dial ^= 4
    #expect(received == [10, -3, -4])
    #expect(both^ == (10, 4))
    #expect(target^ == 10)
  }
}
