import SimpleNotifier
import Testing

// Every line that the documentation comments and the migration page show, as programs that run.

@Suite struct SimpleNotifierDocumentationTests {
  @Test func `what the comments show`() {
    enum PersonProperty { case firstName, lastName }

    class Person {
      var notifier = Notifier<PersonProperty>()
      var firstName: String { didSet { notifier.send(.firstName) } }
      var lastName: String { didSet { notifier.send(.lastName) } }
      init(_ firstName: String, _ lastName: String) { (self.firstName, self.lastName) = (firstName, lastName) }
    }
    var printed: [PersonProperty] = []
    func print(_ property: PersonProperty) { printed.append(property) }

    let person = Person("Grace", "Murray")
    person.notifier.observe { property in print(property) }
    let token = person.notifier.observe { property in print(property) }
    token.stop()
    person.lastName = "Hopper"
    #expect(printed == [.lastName])
  }

  @Test func `what the comments show of initial values and owners`() {
    enum PersonProperty { case initial, firstName }
    final class Person { let notifier = Notifier<PersonProperty>() }
    final class ViewModel {
      var shown: [PersonProperty] = []
      func show(_ property: PersonProperty) { shown.append(property) }
      func bind(_ person: Person) {
        person.notifier.observe(owner: self) { viewModel, property in viewModel.show(property) }
        person.notifier.observe(owner: self, { $0.show($1) }, withInitialValue: .initial)
      }
    }
    var printed: [PersonProperty] = []
    func print(_ property: PersonProperty) { printed.append(property) }

    let (person, model) = (Person(), ViewModel())
    person.notifier.observe({ property in print(property) }, withInitialValue: .initial)
    model.bind(person)
    person.notifier.send(.firstName)
    #expect(printed == [.initial, .firstName])
    #expect(model.shown == [.initial, .firstName, .firstName])
  }

  @Test func `the page's program`() {
    enum PersonProperty { case initial, firstName, lastName }

    class Person {
      var notifier = Notifier<PersonProperty>()
      var firstName = "" { didSet { notifier.send(.firstName) } }
      var lastName = "" { didSet { notifier.send(.lastName) } }
    }
    class PersonViewModel {
      let person: Person
      init(_ person: Person) { self.person = person }
      var updates: [PersonProperty] = []
      func show(_ property: PersonProperty) { updates.append(property) }
      func showName() { show(.initial) }
      func firstNameChanged() { show(.firstName) }
      func lastNameChanged() { show(.lastName) }

      func bindPerson() {
        person.notifier.observe(
          { [unowned self] (property) in
            switch property {
            case .initial: showName()
            case .firstName: firstNameChanged()
            case .lastName: lastNameChanged()
            }
          }, withInitialValue: .initial)
      }
      func bindPersonAsOwner() {
        person.notifier.observe(owner: self) { model, property in model.show(property) }
      }
    }
    let model = PersonViewModel(Person())
    model.bindPerson()
    model.bindPersonAsOwner()
    model.person.firstName = "Grace"
    model.person.lastName = "Hopper"
    #expect(model.updates == [.initial, .firstName, .firstName, .lastName, .lastName])
  }
}
