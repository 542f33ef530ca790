import Testing
import Tidings
import TidingsTesting

@Suite("LocalObserved")
struct LocalObservedTests {
  /// Not Sendable.
  private final class Box {
    var number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test("Setting notifies, in place and in order, also from a handler")
  func setting() {
    let value = LocalObserved(0, label: "zoom")
    var notified: [String] = []
    var tokens = [value.observe { notified.append("a \($0.old!)-\($0.new)") }]
    tokens.append(value.observe { change in if change.new == 1 { value.value = 2 } })
    tokens.append(value.observe { notified.append("b \($0.old!)-\($0.new) \(value.value)") })
    value.value = 1
    #expect(notified == ["a 0-1", "b 0-1 2", "a 1-2", "b 1-2 2"])
    value.value *= 10
    #expect(notified.suffix(2) == ["a 2-20", "b 2-20 20"])
    #expect(value.diagnostics.label == "zoom" && value.diagnostics.count == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("A change in place is one change, and copies nothing while it has no handler")
  func inPlace() {
    let list = LocalObserved([1, 2, 3])
    func place() -> UnsafeRawPointer? { list.value.withUnsafeBytes { $0.baseAddress } }
    list.value.reserveCapacity(100)
    let before = place()
    for number in 0..<50 { list.value.append(number) }
    #expect(place() == before && list.value.count == 53)
    var received: [Change<[Int]>] = []
    let token = list.observe { received.append($0) }
    list.value = [3, 1]
    list.value.sort()
    list.update {
      $0.append(7)
      $0.removeFirst()
    }
    #expect(received.map(\.new) == [[3, 1], [1, 3], [3, 7]])
    #expect(received.map(\.old).dropFirst() == [[3, 1], [1, 3]])
    token.cancel()
  }

  @Test("Reading the value inside a change in place is an overlapping access, whether or not a handler observes")
  func exclusive() async {
    await #expect(processExitsWith: .failure) {
      let list = LocalObserved([1])
      list.value.withUnsafeMutableBufferPointer { elements in elements[0] = list.value.count }
    }
    await #expect(processExitsWith: .failure) {
      let list = LocalObserved([1])
      let token = list.observe { _ in }
      list.value.withUnsafeMutableBufferPointer { elements in elements[0] = list.value.count }
      token.cancel()
    }
    await #expect(processExitsWith: .success) {
      let list = LocalObserved([1, 2])
      list.update { $0[0] = list.value.count }
      let token = list.observe { _ in }
      list.update { $0[1] = list.value.count }
      precondition(list.value == [2, 2])
      token.cancel()
    }
  }

  @Test("A change in place that throws has changed what it has changed, whether or not a handler observes")
  func throwing() {
    struct Failure: Error {}
    func fail(_ list: inout [Int]) throws {
      list.append(1)
      throw Failure()
    }
    let list = LocalObserved<[Int]>([])
    #expect(throws: Failure.self) { try fail(&list.value) }
    #expect(list.value == [1])
    var received: [Change<[Int]>] = []
    let token = list.observe { received.append($0) }
    #expect(throws: Failure.self) { try fail(&list.value) }
    #expect(list.value == [1, 1])
    #expect(received.map(\.old) == [[1]] && received.map(\.new) == [[1, 1]])
    #expect(throws: Failure.self) { try list.update(fail) }
    #expect(list.value == [1, 1] && received.count == 1)
    token.cancel()
  }

  @Test("Members are set as changes of the value, and it need not be Sendable")
  func members() {
    struct Profile: Equatable {
      var name = "Ada"
      var age = 36
    }
    let (profile, box) = (LocalObserved(Profile()), LocalObserved(Box(1)))
    var received: [Profile] = []
    var boxes: [Int] = []
    let tokens = [profile.observe { received.append($0.new) }, box.observe { boxes.append($0.new.number) }]
    profile.name = "Grace"
    profile.age += 1
    box.value = Box(2)
    #expect(received == [Profile(name: "Grace", age: 36), Profile(name: "Grace", age: 37)])
    #expect(boxes == [2] && profile.name == "Grace")
    withExtendedLifetime(tokens) {}
  }

  @Test("As a property wrapper it is an ordinary property")
  func propertyWrapper() {
    final class View {
      @LocalObserved(changes: .distinct) var zoom = 1
      @LocalObserved var tags: [String] = []
    }
    let view = View()
    var received: [Int] = []
    var tags: [[String]] = []
    let tokens = [view.$zoom.observe { received.append($0.new) }, view.$tags.observe { tags.append($0.new) }]
    view.zoom = 1
    view.zoom += 1
    view.tags.append("a")
    #expect(received == [2] && tags == [["a"]] && view.zoom == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test("Policies, `.initial`, what will change, owners, pausing")
  func verbs() {
    let value = LocalObserved(0, changes: .by { abs($0 - $1) < 5 })
    var notified: [String] = []
    var owner: Owner? = Owner()
    var tokens = [
      value.observeWillChange { notified.append("before \($0.old!)-\($0.new) \(value.value)") },
      value.observe(.initial) { notified.append("initial \($0.old.map { "\($0)" } ?? "nil")-\($0.new)") },
    ]
    value.observe(with: owner!) { notified.append("owned \($1.new)") }
    #expect(notified == ["initial nil-0"])
    value.value = 3
    #expect(value.value == 0 && notified.count == 1)
    value.value = 10
    #expect(notified.dropFirst() == ["before 0-10 0", "initial 0-10", "owned 10"])
    owner = nil
    tokens[1].pause()
    value.value = 20
    tokens[1].resume()
    value.value = 30
    #expect(notified.dropFirst(4) == ["before 10-20 10", "before 20-30 20", "initial 20-30"])
    tokens.removeAll()
    value.value = 40
    #expect(notified.count == 7)
  }

  @Test("Handlers end with it, and nothing is kept")
  func lifetime() {
    let canaries = Canaries()
    var value: LocalObserved<Canary>? = LocalObserved(canaries.make())
    let token = value!.observe { [canary = canaries.make()] _ in canary.touch() }
    let before = value!.observeWillChange { [canary = canaries.make()] _ in canary.touch() }
    value?.value = canaries.make()
    #expect(canaries.alive == 3)
    value = nil
    #expect(canaries.alive == 0 && !token.isActive && !before.isActive)
  }
}
