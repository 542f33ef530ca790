import Testing
import Tidings

/// The programs of the five migration pages in the core's own types.
@MainActor
@Suite struct MigrationTests {
  @MainActor final class Profile {
    let renamed = Event<String>("profile.renamed")
    var name = "" { didSet { renamed.emit(name) } }
  }

  @MainActor final class ProfileScreen {
    private(set) var title = ""
    func follow(_ profile: Profile) {
      profile.renamed.observe(with: self) { screen, name in screen.title = name }
    }
  }

  @Test func `a screen shows a profile's name as soon as it changes`() {
    let (profile, screen) = (Profile(), ProfileScreen())
    screen.follow(profile)
    profile.name = "Ada"
    #expect(screen.title == "Ada")
  }

  enum PersonProperty { case initial, firstName, lastName }

  class Person {
    let changed = LocalEvent<PersonProperty>("person.changed")
    var firstName = "" { didSet { changed.emit(.firstName) } }
    var lastName = "" { didSet { changed.emit(.lastName) } }
  }

  class PersonViewModel {
    let person: Person
    init(_ person: Person) { self.person = person }
    var updates: [PersonProperty] = []
    func show(_ property: PersonProperty) { updates.append(property) }

    func bindPerson() {
      person.changed.observe(with: self) { model, property in model.show(property) }
      show(.initial)
    }
  }

  @Test func `a view model follows a person's properties`() {
    let model = PersonViewModel(Person())
    model.bindPerson()
    model.person.firstName = "Grace"
    model.person.lastName = "Hopper"
    #expect(model.updates == [.initial, .firstName, .lastName])
  }

  class Product {
    let priceChanged = LocalEvent<Double>("product.price")
    var price = 100.0 { didSet { if price != oldValue { priceChanged.emit(price) } } }
  }

  @Test func `a product notifies of changes of its price`() {
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }

    let product = Product()
    let subscription = product.priceChanged.observe { print("the price has changed to \($0)") }
    product.price = 90
    product.price = 90
    #expect(printed == ["the price has changed to 90.0"])
    subscription.cancel()
  }

  enum Mail: Sendable {
    case arrived(from: String)
    case lost(count: Int)
  }

  final class PostOffice: Sendable {
    let mail = Event<Mail>("post.mail")
  }

  @MainActor final class Letterbox {
    private(set) var senders: [String] = []
    func follow(_ office: PostOffice) {
      office.mail.observe(with: self) { box, mail in
        if case .arrived(let sender) = mail { box.senders.append(sender) }
      }
    }
  }

  @Test func `a letterbox is notified of mail, by its type`() {
    let (office, box) = (PostOffice(), Letterbox())
    box.follow(office)
    office.mail.emit(.arrived(from: "Ada"))
    office.mail.emit(.lost(count: 2))
    #expect(box.senders == ["Ada"])
  }

  struct Named { var full = "Ramsay Snow" }

  @Test func `a mutation of an observed struct is notified with both values`() {
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }

    let name = LocalObserved(Named())
    let subscription = name.observe { change in print("\(change.old!.full) is now \(change.new.full)") }
    name.value.full = "Ramsay Bolton"
    #expect(printed == ["Ramsay Snow is now Ramsay Bolton"])
    subscription.cancel()
  }
}
