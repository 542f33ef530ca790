import SimpleNotifier
import Testing

// The programs that the original's text shows, rewritten.

private enum PersonProperty { case initial, firstName, lastName }

private final class Person {
  var notifier = Notifier<PersonProperty>()
  var firstName: String { didSet { notifier.send(.firstName) } }
  var lastName: String { didSet { notifier.send(.lastName) } }

  init(_ firstName: String, _ lastName: String) {
    self.firstName = firstName
    self.lastName = lastName
  }
}

private final class PersonViewModel {
  let person: Person
  private(set) var personNameText = ""
  private(set) var updates: [PersonProperty] = []

  init(_ person: Person) { self.person = person }

  func bindPerson() {
    person.notifier.observe({ [unowned self] (property) in
      switch property {
      case .initial: updates.append(.initial)
      case .firstName: firstNameChanged()
      case .lastName: lastNameChanged()
      }
    })
  }
  func bindPersonWithInitialValue() {
    person.notifier.observe(
      { [unowned self] (property) in
        updates.append(property)
        showName()
      }, withInitialValue: .initial)
  }
  func bindPersonAsOwner() {
    person.notifier.observe(owner: self) { model, property in
      model.updates.append(property)
      model.showName()
    }
  }

  private func firstNameChanged() {
    updates.append(.firstName)
    showName()
  }
  private func lastNameChanged() {
    updates.append(.lastName)
    showName()
  }
  private func showName() { personNameText = "\(person.firstName) \(person.lastName)" }
}

@Suite struct NotifierSeedPrograms {
  @Test func `a view model follows the properties of a person`() {
    let person = Person("Grace", "Murray")
    let model = PersonViewModel(person)
    model.bindPerson()
    person.lastName = "Hopper"
    #expect(model.updates == [.lastName])
    #expect(model.personNameText == "Grace Hopper")
    person.firstName = "G."
    #expect(model.updates == [.lastName, .firstName])
    #expect(model.personNameText == "G. Hopper")
  }

  @Test func `a view model asks for an initial value`() {
    let person = Person("Grace", "Hopper")
    let model = PersonViewModel(person)
    model.bindPersonWithInitialValue()
    #expect(model.updates == [.initial])
    #expect(model.personNameText == "Grace Hopper")
  }

  @Test func `a view model that was deinitialized is not called any more`() {
    let person = Person("Grace", "Hopper")
    var model: PersonViewModel? = PersonViewModel(person)
    model?.bindPersonAsOwner()
    person.firstName = "Amazing Grace"
    #expect(model?.personNameText == "Amazing Grace Hopper")
    model = nil
    person.firstName = "Grace"
  }

  @Test func `a fresh notifier in place of the old one ends all observing`() {
    let person = Person("Grace", "Hopper")
    let model = PersonViewModel(person)
    model.bindPerson()
    person.notifier = Notifier()
    person.firstName = "Admiral"
    #expect(model.updates.isEmpty)
    model.bindPerson()
    person.firstName = "Grace"
    #expect(model.updates == [.firstName])
  }

  @Test func `an optional notifier is switched off and on`() {
    var notifier: Notifier<PersonProperty>? = Notifier()
    var received: [PersonProperty] = []
    notifier?.observe { received.append($0) }
    notifier?.send(.firstName)
    notifier = nil
    notifier?.send(.lastName)
    notifier = Notifier()
    notifier?.send(.lastName)
    #expect(received == [.firstName])
  }

  @Test func `a notifier lives outside the class that it serves`() {
    class Account { var balance = 0 }
    class ObservableAccount: Account {
      let notifier = Notifier<Void>()
      override var balance: Int { didSet { notifier.send() } }
    }
    let account = ObservableAccount()
    var seen: [Int] = []
    account.notifier.observe { [unowned account] in seen.append(account.balance) }
    account.balance = 10
    account.balance += 5
    #expect(seen == [10, 15])
  }
}
