import Testing
import Tidings
import TidingsTesting

@Suite("Property changes")
struct PropertyChangesTests {
  private final class Person: Sendable {
    let name = Observed("Ada")
    let age = Observed(36, changes: .distinct)
    let changes: PropertyChanges<Person>
    init() { changes = PropertyChanges(.init(\.name, name), .init(\.age, age), label: "person") }
  }

  @Test(
    "Joint changes are notified together, by key path in the given order, after the properties' own handlers")
  func together() {
    let (person, notified) = (Person(), Recorder<String>())
    let tokens = [
      person.changes.observe { change in
        let order = change.keyPaths.map { $0 as PartialKeyPath<Person> }
        let both = order == [\.name, \.age] && change.contains(\.name) && change.contains(\.age)
        notified("\(change.keyPaths.count) \(both) \(person.name.value) \(person.age.value)")
      },
      person.age.observe { _ in notified("own") },
    ]
    person.name.set("Grace")
    person.age.set(85)
    person.age.set(85)
    person.name.set("Grace")
    transaction {
      person.age.set(1)
      person.name.set("Eve")
    }
    #expect(
      notified.values == [
        "1 false Grace 36", "own", "1 false Grace 85", "1 false Grace 85", "own", "2 true Eve 1",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("Nothing is lost between threads, and the object is not kept alive")
  func threadsAndLifetime() {
    var person: Person? = Person()
    let (names, ages) = (Recorder<String>(), Recorder<Int>())
    let changes = person!.changes
    let (name, age) = (person!.name, person!.age)
    let token = changes.observe { change in
      if change.contains(\.name) { names(name.value) }
      if change.contains(\.age) { ages(age.value) }
    }
    Threads.together(2) { thread in
      for number in 1...50 { if thread == 0 { name.set("\(number)") } else { age.set(100 + number) } }
    }
    #expect(names.values.last == "50" && ages.values.last == 150)
    weak let weakly = person
    person = nil
    #expect(weakly == nil)
    token.cancel()
  }
}
