import SimpleNotifier
import Testing

// A client in Swift 5 mode.

private enum PersonProperty { case initial, firstName, lastName }

private class Person {
  var notifier = Notifier<PersonProperty>()
  var firstName = "" { didSet { notifier.send(.firstName) } }
  var lastName = "" { didSet { notifier.send(.lastName) } }
}

private class PersonViewModel {
  let person: Person
  var updates = [PersonProperty]()
  var token: Notifier<PersonProperty>.Token?
  init(person: Person) { self.person = person }

  func bindPerson() {
    person.notifier.observe(
      { [unowned self] (property) in
        switch property {
        case .initial: self.updates.append(.initial)
        case .firstName: self.updates.append(.firstName)
        case .lastName: self.updates.append(.lastName)
        }
      }, withInitialValue: .initial)
  }
  func bindAndKeepTheToken() {
    token = person.notifier.observe { [unowned self] in self.updates.append($0) }
  }
}

@Suite struct NotifierInSwift5 {
  @Test func `a view model follows a person, from an initial value on`() {
    let person = Person()
    let model = PersonViewModel(person: person)
    model.bindPerson()
    person.firstName = "Grace"
    person.lastName = "Hopper"
    #expect(model.updates == [.initial, .firstName, .lastName])
  }

  @Test func `a view model stops`() {
    let person = Person()
    let model = PersonViewModel(person: person)
    model.bindAndKeepTheToken()
    person.firstName = "Grace"
    model.token?.stop()
    person.lastName = "Hopper"
    #expect(model.updates == [.firstName])
  }

  @Test func `an optional notifier is set to nil`() {
    var notifier: Notifier<Int?>? = Notifier()
    var received: [Int?] = []
    notifier?.observe({ received.append($0) }, withInitialValue: nil)
    notifier?.send(1)
    notifier = nil
    notifier?.send(2)
    #expect(received == [nil, 1])
  }

  @Test func `a notifier of nothing`() {
    let notifier = Notifier<Void>()
    var count = 0
    notifier.observe { count += 1 }
    notifier.send()
    #expect(count == 1)
  }
}
