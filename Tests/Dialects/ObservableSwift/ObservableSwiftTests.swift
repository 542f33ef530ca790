// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

@Suite struct ObservableSwiftTests {
  @Test func `a value that equals the old one is notified too`() {
    var x = Observable(1)
    var received: [Int] = []
    x += { received.append($0) }
    x <- 1
    x <- 1
    #expect(received == [1, 1])
  }

  @Test func `a mutation in place is notified once, with old and new value`() {
    struct Person: Equatable {
      var first: String
      var last: String
      mutating func marry(_ other: Person) {
        first += " & \(other.first)"
        last = other.last
      }
    }
    var person = Observable(Person(first: "Ann", last: "Low"))
    var received: [ValueChange<Person>] = []
    person.afterChange += { (change: ValueChange<Person>) in received.append(change) }
    person.value.last = "High"
    #expect(received.map(\.oldValue) == [Person(first: "Ann", last: "Low")])
    #expect(received.map(\.newValue) == [Person(first: "Ann", last: "High")])
    person.value.marry(Person(first: "Bo", last: "Deep"))
    #expect(received.count == 2)
    #expect(person.value == Person(first: "Ann & Bo", last: "Deep"))

    func double(_ x: inout Int) {
      x += x
      x += 1
    }
    var pair = Observable(("John", 1))
    var names: [String] = []
    pair.afterChange += { names.append("\($0.newValue.0)\($0.newValue.1)") }
    double(&pair.value.1)
    pair <- ("Jim", 4)
    #expect(names == ["John3", "Jim4"])
  }

  @Test func `a copy changes alone, and both notify the shared subscriptions`() {
    var x = Observable(0)
    var received: [Int] = []
    x.afterChange += { received.append($0) }
    var y = x
    y <- 10
    x <- 20
    #expect((x.value, y.value) == (20, 10))
    #expect(received == [10, 20])
    y.afterChange += { received.append(-$0) }
    x <- 1
    #expect(received == [10, 20, 1, -1])
  }

  @Test func `unshared with its subscriptions, a copy notifies the same handlers in a list of its own`() {
    var x = Observable(0)
    var received: [String] = []
    let both = x.afterChange += { received.append("both \($0)") }
    x.beforeChange += { received.append("before \($0)") }
    var y = x
    y.unshare(removeSubscriptions: false)
    x.afterChange += { received.append("x \($0)") }
    y.afterChange += { received.append("y \($0)") }
    x <- 1
    y <- 2
    #expect(received == ["before 1", "both 1", "x 1", "before 2", "both 2", "y 2"])
    received = []
    x.afterChange -= both
    x <- 3
    y <- 4
    #expect(received == ["before 3", "x 3", "before 4", "both 4", "y 4"])
    received = []
    both.invalidate()
    y <- 5
    #expect(received == ["before 5", "y 5"])
  }

  @Test func `unshared without them, a copy begins with none`() {
    var x = Observable(0)
    var received: [Int] = []
    x += { received.append($0) }
    x.beforeChange += { received.append(-$0) }
    var y = x
    y.unshare(removeSubscriptions: true)
    y <- 1
    #expect(received.isEmpty)
    x <- 2
    #expect(received == [-2, 2])
  }

  private struct Person {
    var first: String
    var last: Observable<String>
  }

  @Test func `adding a handler to an observable counts as a mutation of it, adding to its event does not`() {
    var person = Observable(Person(first: "John", last: Observable("Doe")))
    var (persons, names) = (0, 0)
    person.value.last += { (_, _) in names += 1 }
    person += { (_, _) in persons += 1 }
    person.value.last <- "Snow"
    person.value.first = "Jon"
    #expect((persons, names) == (2, 1))
    person.value.last += { (_, _) in }
    #expect(persons == 3)
    person.value.last.afterChange += { (_, _) in }
    person.value.last.afterChange.add { _ in }
    #expect(persons == 3)
    #expect(names == 1)
  }

  @Test func `a change within a struct notifies the inner observable, then the outer`() {
    var person = Observable(Person(first: "John", last: Observable("Doe")))
    var received: [String] = []
    person.beforeChange += { (old, new) in received.append("before person \(old.last^)→\(new.last^)") }
    person.afterChange += { (old, new) in received.append("after person \(old.last^)→\(new.last^)") }
    person.value.last.beforeChange += { (old, new) in received.append("before \(old)→\(new)") }
    person.value.last.afterChange += { (old, new) in received.append("after \(old)→\(new)") }
    person.value.last <- "Snow"
    #expect(received == ["before Doe→Snow", "after Doe→Snow", "before person Doe→Snow", "after person Doe→Snow"])
  }
}
