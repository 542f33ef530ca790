import Observation
import Testing
import Tidings
import TidingsObservation
import TidingsTesting

@Suite("Observable models, read by derived values")
struct DerivedTrackingTests {
  @Test("A change of what was read is notified, after it was made")
  @MainActor func notified() async {
    let model = Model()
    let name = Derived.tracking { model.name }
    let recording = name.record()
    #expect(name.value == "Ada")
    model.name = "Grace"
    #expect(await recording.values(atLeast: 1) == [Change(old: "Ada", new: "Grace")])
    #expect(name.value == "Grace")
    model.name = "Barbara"
    #expect(await recording.values(atLeast: 2).last == Change(old: "Grace", new: "Barbara"))
  }

  @Test("Changes in a row may be notified as one; the last is always notified, in an unbroken chain")
  @MainActor func lastIsDelivered() async {
    let model = Model()
    let age = Derived.tracking { model.age }
    let recording = age.record()
    for round in 1...200 {
      for step in 0..<5 { model.age = round * 10 + step }
      if round % 3 == 0 { await Task.yield() }
    }
    let last = 2_004
    var changes = await recording.values(atLeast: 1)
    while changes.last?.new != last { changes = await recording.values(atLeast: changes.count + 1) }
    #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.new == $1.old })
    #expect(changes.map(\.new) == changes.map(\.new).sorted())
    #expect(age.value == last)
  }

  @Test("A value that was not read, or does not differ, is not notified; dependencies are tracked again each time")
  @MainActor func dependencies() async {
    let model = Model()
    let text = Derived.tracking { model.isShort ? "short" : model.name }
    let recording = text.record()
    model.age = 40
    model.isShort = true
    #expect(await recording.values(atLeast: 1).map(\.new) == ["short"])
    model.name = "unread"
    model.isShort = true
    model.isShort = false
    #expect(await recording.values(atLeast: 2).map(\.new) == ["short", "unread"])
  }

  @Test("A model that does not leave its actor is read there")
  func onAnActor() async {
    let library = Library()
    let count = await library.makeCount()
    let recording = count.record()
    #expect(count.value == 0)
    await library.add("Dune")
    #expect(await recording.values(atLeast: 1).map(\.new) == [1])
    await library.add("Emma")
    #expect(await recording.values(atLeast: 2).map(\.new) == [1, 2])
  }

  @Test("It keeps what its closure captured, and releases it; an actor is not kept")
  @MainActor func lifetime() async {
    let canaries = Canaries()
    var model: Model? = Model(canaries.make())
    var name: Derived<String>? = Derived.tracking { [model = model!] in model.name }
    model = nil
    #expect(name?.value == "Ada" && canaries.alive == 1)
    name = nil
    #expect(await canaries.quiesce())
    var library: Library? = Library(canaries.make())
    let count = await library?.makeCount()
    library = nil
    #expect(await canaries.quiesce())
    #expect(count?.value == 0)
  }
}

@MainActor @Observable private final class Model {
  var name = "Ada"
  var age = 0
  var isShort = false
  private let canary: Canary?
  init(_ canary: Canary? = nil) { self.canary = canary }
}

@Observable private final class Shelf {
  var books: [String] = []
}

private actor Library {
  private let shelf = Shelf()
  private let canary: Canary?
  init(_ canary: Canary? = nil) { self.canary = canary }
  func add(_ book: String) { shelf.books.append(book) }
  func makeCount() -> Derived<Int> {
    let count = Derived.tracking(on: self) { library in library.shelf.books.count }
    return count
  }
}
