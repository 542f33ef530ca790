import SimpleNotifier
import Testing

// A client in Swift 5 mode.

private enum PersonProperty { case initial, firstName, lastName }

private class Person {
  var notifier: Notifier<PersonProperty>? = Notifier<PersonProperty>()
  var firstName = "" { didSet { notifier?.send(.firstName) } }
  var lastName = "" { didSet { notifier?.send(.lastName) } }
}

private class PersonViewModel {
  let person: Person
  var updates = [PersonProperty]()
  init(person: Person) { self.person = person }

  func bindPerson() -> Notifier<PersonProperty>.Token? {
    person.notifier?.observe(
      { [unowned self] (property) in
        switch property {
        case .initial: self.updates.append(.initial)
        case .firstName: self.updates.append(.firstName)
        case .lastName: self.updates.append(.lastName)
        }
      }, withInitialValue: .initial)
  }
}

@Suite struct SimpleNotifierSwift5Tests {
  @Test func `a view model follows a person, from an initial value on, until it stops or the notifier is nil`() {
    let person = Person()
    let (one, two) = (PersonViewModel(person: person), PersonViewModel(person: person))
    let token = one.bindPerson()
    _ = two.bindPerson()
    person.firstName = "Grace"
    token?.stop()
    person.lastName = "Hopper"
    person.notifier = nil
    person.firstName = "Admiral"
    #expect(one.updates == [.initial, .firstName])
    #expect(two.updates == [.initial, .firstName, .lastName])
  }

  @Test func `a notifier of nothing, and nil as an initial value`() {
    var received: [Int?] = []
    let nothing = Notifier<Void>()
    nothing.observe { received.append(0) }
    nothing.send()
    Notifier<Int?>().observe({ received.append($0) }, withInitialValue: nil)
    #expect(received == [0, nil])
  }
}
