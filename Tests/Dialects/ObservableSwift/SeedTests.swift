// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

/// What Observable-Swift's introduction shows, in its order.
@Suite struct SeedTests {
  @Test func `a variable is observed, and set in three ways`() {
    var printed: [String] = []
    var x = Observable(0)
    x.afterChange += { printed.append("Changed x from \($0) to \($1)") }
    x.afterChange.add { printed.append("again: from \($0.oldValue)") }
    x <- 42
    x ^= 43
    x.value = 44
    #expect(
      printed == [
        "Changed x from 0 to 42", "again: from 0", "Changed x from 42 to 43", "again: from 42",
        "Changed x from 43 to 44", "again: from 43",
      ])
  }

  @Test func `a property of a struct is observed`() {
    struct Person {
      let first: String
      var last: Observable<String>
      init(first: String, last: String) {
        self.first = first
        self.last = Observable(last)
      }
    }
    var printed: [String] = []
    var ramsay = Person(first: "Ramsay", last: "Snow")
    ramsay.last.afterChange += { printed.append("Ramsay \($0) is now Ramsay \($1)") }
    ramsay.last <- "Bolton"
    #expect(printed == ["Ramsay Snow is now Ramsay Bolton"])
  }

  @Test func `a property of a class is observed`() {
    final class Person {
      var last = Observable("Snow")
    }
    var printed: [String] = []
    let ramsay = Person()
    ramsay.last += { printed.append("\($0)") }
    ramsay.last <- "Bolton"
    #expect(printed == ["Bolton"])
  }

  @Test func `the value is read by its property or by an operator, which chains`() {
    struct Inner { var somethingElse = Observable(3) }
    struct Outer { var whatever = Observable(Inner()) }
    struct Object { var property = Observable(Outer()) }
    let (x, object) = (Observable(20), Object())
    #expect(x.value + 22 == 42)
    #expect(x^ + 22 == 42)
    #expect(object.property^.whatever^.somethingElse^ == 3)
  }

  @Test func `a mutation of an observed struct is notified with both values`() {
    struct Person {
      let first: String
      var last: String
      var full: String { "\(first) \(last)" }
    }
    var printed: [String] = []
    var ramsay = Observable(Person(first: "Ramsay", last: "Snow"))
    ramsay += { printed.append("\($0.full) is now \($1.full)") }
    ramsay.value.last = "Bolton"
    #expect(printed == ["Ramsay Snow is now Ramsay Bolton"])
  }

  @Test func `an observer is removed by its subscription, with an operator or without`() {
    var changes = 0
    var x = Observable(0)
    let one = x.afterChange += { (_, _) in changes += 1 }
    let two = x.afterChange += { (_, _) in changes += 10 }
    x <- 1
    x.afterChange -= one
    x <- 2
    x.afterChange.remove(two)
    x <- 3
    #expect(changes == 21)
  }

  @Test func `an observer is invalidated, and removed when the event fires next`() {
    var changes = 0
    var x = Observable(0)
    let subscription = x.afterChange += { (_, _) in changes += 1 }
    subscription.invalidate()
    x <- 1
    #expect(changes == 0)
    #expect(x.afterChange.event.subscriptions.isEmpty)
  }

  @Test func `an observer is tied to the life of an object`() {
    var printed: [String] = []
    var x = Observable(0)
    for _ in 0..<1 {
      let owner = Witness()
      x.afterChange.add(owner: owner) { (old, new) in printed.append("\(old) -> \(new)") }
      x <- 42
      withExtendedLifetime(owner) {}
    }
    x <- -1
    #expect(printed == ["0 -> 42"])
  }

  @Test func `a chain follows my friend's last name, whichever person that is`() {
    final class Person {
      let firstName: String
      var lastName: Observable<String>
      var friend: Observable<Person?> = Observable(nil)
      init(_ firstName: String, _ lastName: String) {
        self.firstName = firstName
        self.lastName = Observable(lastName)
      }
    }
    let (me, ann) = (Person("Me", "Low"), Person("Ann", "High"))
    var (myFriendsName, alternatively): (String?, String?)
    chain(me.friend).to { $0?.lastName }.afterChange += { (_, newName) in
      myFriendsName = newName
    }
    (me.friend / { $0?.lastName }).afterChange += { (_, newName) in
      alternatively = newName
    }
    me.friend <- ann
    #expect(myFriendsName == "High" && alternatively == "High")
    ann.lastName <- "Higher"
    #expect(myFriendsName == "Higher" && alternatively == "Higher")
    me.friend <- nil
    #expect(myFriendsName == nil && alternatively == nil)
  }

  @Test func `an event notifies of what else happens`() {
    final class SomeClass {
      var somethingChanged = Event<String>()
      func doSomething() { somethingChanged.notify("Hello!") }
    }
    var printed: [String] = []
    let object = SomeClass()
    object.somethingChanged += { printed.append($0) }
    object.doSomething()
    #expect(printed == ["Hello!"])
  }

  @Test func `there are references to observables and to events, and what is shared can be unshared`() {
    var x = Observable(0)
    let (stand, reference) = (proxy(x), ObservableReference(0))
    let event = EventReference<Int>()
    var received: [Int] = []
    stand += { received.append($0) }
    reference += { received.append($0) }
    event += { received.append($0) }
    x <- 1
    reference <- 2
    event.notify(3)
    var copy = x
    copy.unshare(removeSubscriptions: true)
    copy <- 4
    #expect(received == [1, 2, 3])
  }

  @Test func `operators are optional`() {
    let x = ObservableReference(0)
    let subscription = x.afterChange.add { (old, new) in }
    var received: [String] = []
    x.afterChange.add { (change: ValueChange<Int>) in received.append("\(change.newValue)") }
    x.beforeChange.add { received.append("changes") }
    x.value = 1
    x.afterChange.remove(subscription)
    let both = PairObservable(x, ObservableProxy(x))
    let name = chain(x).to { _ in both }
    #expect(name.value ?? (0, 0) == (1, 1))
    #expect(received == ["changes", "1"])
  }
}
