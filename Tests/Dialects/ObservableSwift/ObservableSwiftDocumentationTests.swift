// swift-format-ignore-file: NoAssignmentInExpressions

import ObservableSwift
import Testing

// Every line that the documentation comments and the migration page show, as programs that run.

@Suite struct ObservableSwiftDocumentationTests {
  enum Key { case `return`, letter }

  @Test func `what the comments show of events`() {
    var printed: [Key] = []
    func print(_ key: Key) { printed.append(key) }

    var pressed = Event<Key>()
    pressed += { key in print(key) }
    pressed.notify(.return)
    #expect(printed == [.return])

    do {
      let subscription = pressed += { key in print(key) }
      pressed -= subscription
    }
    let subscription = pressed.add { key in print(key) }
    pressed.remove(subscription)
    subscription.invalidate()
    pressed.notify(.letter)
    #expect(printed == [.return, .letter])

    func announce<E: AnyEvent>(_ word: E.ValueType, on event: inout E) { event.notify(word) }
    announce(.return, on: &pressed)
    #expect(printed.count == 3)
  }

  @Test func `what the comments show of event references`() {
    var printed: [Key] = []
    func print(_ key: Key) { printed.append(key) }
    final class Keyboard {
      func subscription(_ print: @escaping (Key) -> Void) -> EventSubscription<Key> {
        let subscription = EventSubscription<Key>(owner: self) { key in print(key) }
        return subscription
      }
    }
    let pressed = EventReference<Key>()
    pressed += { key in print(key) }
    let keyboard = Keyboard()
    pressed.add(keyboard.subscription(print))
    pressed.notify(.return)
    #expect(printed == [.return, .return])
    withExtendedLifetime(keyboard) {}
  }

  @Test func `what the comments show of observables`() {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
    func log<O: AnyObservable>(_ observable: O) { observable.afterChange += { print($0.newValue) } }

    var x = Observable(0)
    x.afterChange += { print("Changed x from \($0) to \($1)") }
    x.afterChange += { change in print(change.oldValue, change.newValue) }
    log(x)
    let stand = proxy(x)
    stand.afterChange += { print($0.newValue) }
    x <- 42
    #expect(printed == ["Changed x from 0 to 42", "0 42", "42", "42"])
    let sum = x^ + 22
    #expect(sum == 64)

    var copy = x
    copy.unshare(removeSubscriptions: true)
    let (y, isOpen) = (copy, true)
    x <- y^ + 1
    x ^= 42
    x <- isOpen ? 1 : 0
    #expect(x^ == 1)
  }

  @Test func `what the comments show of references and pairs`() {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    let x = ObservableReference(0)
    x += { (old, new) in print(old, x.value == new) }
    x <- 1
    var (first, last) = (Observable("Ramsay"), Observable("Snow"))
    let name = first & last
    name.afterChange += { print($0.newValue.0, $0.newValue.1) }
    last <- "Bolton"
    first <- "Roose"
    #expect(printed == ["0 true", "Ramsay Bolton", "Roose Bolton"])
    x.afterChange.removeAll()
  }

  @Test func `what the comments show of chains`() {
    final class Friend {
      var lastName = Observable("Snow")
      var friend = Observable<Friend?>(nil)
    }
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let (me, ann) = (Friend(), Friend())
    var myFriendsName: String?

    let name = chain(me.friend).to { $0?.lastName }
    let subscription = chain(me.friend).to { $0?.lastName }.afterChange.add { print($0.newValue ?? "no friend") }
    chain(me.friend).to { $0?.lastName }.afterChange += { (_, newName) in
      myFriendsName = newName
    }
    me.friend <- ann
    ann.lastName <- "Bolton"
    #expect(name.value == "Bolton" && myFriendsName == "Bolton")
    myFriendsName = nil
    (me.friend / { $0?.lastName }).afterChange += { (_, newName) in myFriendsName = newName }
    me.friend <- nil
    subscription.invalidate()
    me.friend <- ann
    #expect(printed == ["Snow", "Bolton", "no friend"] && myFriendsName == "Bolton")
  }

  // MARK: The migration page

  @Test func `the page's program prints what it says`() {
    struct Person {
      let first: String
      var last: String
      var full: String { "\(first) \(last)" }
    }
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }

    var x = Observable(0)
    x.afterChange += { print("Changed x from \($0) to \($1)") }
    x <- 42

    var ramsay = Observable(Person(first: "Ramsay", last: "Snow"))
    ramsay += { print("\($0.full) is now \($1.full)") }
    ramsay.value.last = "Bolton"
    #expect(printed == ["Changed x from 0 to 42", "Ramsay Snow is now Ramsay Bolton"])
  }

  @Test func `the page's two ways out of reading what is being written`() {
    final class Thermometer {
      var degrees = Observable(20)
      let pressure = ObservableReference(1_013)
    }
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }

    let thermometer = Thermometer()
    thermometer.degrees += { new in print("it has \(new) degrees") }
    thermometer.pressure += { print("the pressure is \(thermometer.pressure^)") }
    thermometer.degrees <- 21
    thermometer.pressure <- 990
    #expect(printed == ["it has 21 degrees", "the pressure is 990"])
    thermometer.pressure.afterChange.removeAll()
  }
}
