import Testing
import Tidings
import TidingsTesting

@Suite("Observed")
struct ObservedTests {
  typealias ChangeRecorder = Recorder<Change<Int>>

  @Test("An update copies a collection once, however many elements it adds, and its readers keep the old one")
  func oneCopy() {
    let list = Observed(Array(0..<100))
    func place(_ elements: [Int]) -> UnsafeRawPointer? { elements.withUnsafeBytes { $0.baseAddress } }
    let old = place(list.value)
    list.update { elements in
      elements.reserveCapacity(1_000)
      let copy = place(elements)
      for number in 100..<1_000 { elements.append(number) }
      #expect(copy == place(elements) && copy != old)
      #expect(place(list.value) == old && list.value.count == 100)
    }
    #expect(list.value == Array(0..<1_000))
  }

  @Test("`.every` setting is a change unless a policy says otherwise")
  func policies() {
    let near: ChangePolicy<Int> = .by { abs($0 - $1) < 10 }
    for (policy, expected) in [(.every, [1, 1, 5, 20, 20]), (.distinct, [1, 5, 20]), (near, [20])] {
      let (value, received, before) = (Observed(0, changes: policy), Recorder<Int>(), Recorder<Int>())
      let tokens = [value.observe { received($0.new) }, value.willChange.observe { before($0.new) }]
      value.set(1)
      value.update { $0 = 1 }
      transaction { value.set(5) }
      value.set(20)
      transaction { value.update { $0 += 0 } }
      #expect(received.values == expected)
      #expect(before.values == expected)
      #expect(value.value == 20)
      withExtendedLifetime(tokens) {}
    }
    let (value, changes) = (Observed(0, changes: .distinct), ChangeRecorder())
    let token = value.observe { changes($0) }
    for numbers in [[1, 0], [1, 3]] { transaction { for number in numbers { value.set(number) } } }
    #expect(changes.values == [Change(old: 0, new: 3)], "compared is what a transaction has found and what it leaves")
    token.cancel()
    let name = Observed("Ada", changes: .by { $0.lowercased() == $1.lowercased() })
    name.set("ADA")
    name.update { $0 = "ada" }
    transaction { name.set("aDA") }
    #expect(name.value == "Ada", "what counts as no change is not written")
  }

  @Test("A policy's closure may use the value and take its time")
  func policiesHoldNothing() {
    let own = Locked<Observed<Int>?>(nil)
    let value = Observed(
      0,
      changes: .by { old, new in
        let isFree = Threads.elsewhere { _ = own.current?.value }
        return !isFree || old == new
      })
    own.current = value
    value.set(1)
    value.set(1)
    #expect(value.value == 1)
    own.current = nil
  }

  @Test("As a property wrapper it reads as its value, with `$` in front to set and observe it")
  func propertyWrapper() {
    final class Player {
      @Observed(changes: .distinct) var volume = 5
      @Observed var title = "none"
    }
    let (player, received) = (Player(), ChangeRecorder())
    let token = player.$volume.observe { received($0) }
    #expect(player.volume == 5 && player.title == "none")
    player.$volume.set(0)
    player.$volume.set(0)
    player.$title.update { $0 += "!" }
    #expect(player.volume == 0 && player.title == "none!")
    #expect(received.values == [Change(old: 5, new: 0)])
    token.cancel()
  }

  @Test("A member is a value of its own, notified when it changes and not when others do")
  func members() {
    struct Place: Sendable {
      var street = "Lane"
      var city = "Ur"
      var value = 1
    }
    let (place, received) = (Observed(Place()), Recorder<String>())
    let city = place.city
    let token = city.observe { received($0.new) }
    let length = place.city.count.observe { received("\($0.new)") }
    place.update { $0.street = "Road" }
    #expect(received.values == [])
    place.update { $0.city = "Uruk" }
    #expect(received.values.sorted() == ["4", "Uruk"] && city.value == "Uruk")
    #expect(place[dynamicMember: \.value].value == 1)
    withExtendedLifetime((token, length)) {}
  }

  @Test("A read-only view reads, notifies and keeps the value alive")
  func readOnly() {
    var source: Observed<[Int]>? = Observed([1])
    let (face, received) = (source!.readOnly, Recorder<[Int]>())
    let (total, tokens) = (
      Derived { face.value.count },
      [face.observe(.initial) { received($0.new) }, face.count.observe { received([$0.new]) }]
    )
    source?.set([1, 2])
    #expect(face.value == [1, 2] && total.value == 2)
    #expect(received.values.contains([1]) && received.values.contains([1, 2]) && received.values.contains([2]))
    weak let weakly = source
    source = nil
    #expect(weakly != nil && tokens[0].isActive)
    #expect(ReadOnly(total).value == 2)
  }

  @Test("It reports the label, how many listen, and what waits")
  func diagnostics() {
    let (value, waiting) = (Observed(0, label: "price"), Recorder<Int>())
    #expect(value.diagnostics.label == "price" && value.diagnostics.count == 0)
    let token = value.observe { change in
      if change.new == 1 { for next in 2...3 { value.set(next) } }
      waiting(value.diagnostics.waiting)
    }
    let paused = value.observe { _ in }
    paused.pause()
    value.set(1)
    #expect(waiting.values == [2, 1, 0])
    #expect(value.diagnostics.count == 2)
    #expect(value.diagnostics.subscriptions.map(\.isPaused) == [false, true])
    #expect(value.diagnostics.description.contains("price"))
    let derived = Derived("double") { value.value * 2 }
    let other = derived.observe { _ in }
    #expect(derived.diagnostics.label == "double" && derived.diagnostics.count == 1)
    token.cancel()
    #expect(value.diagnostics.count == 1)
    withExtendedLifetime(other) {}
  }

  @Test("Handlers pause, resume, are cancelled and called once")
  func verbs() {
    let (value, received) = (Observed(0), Recorder<String>())
    let ten = Derived { value.value * 10 }
    func add(_ name: String, _ source: some ValueSource<Int>) -> Subscription {
      source.observe { received("\(name) \($0.old ?? -1)-\($0.new)") }
    }
    let (a, b, c, d) = (add("a", value), add("b", value), add("c", ten), add("d", ten))
    value.once { received("once \($0.new)") }
    ten.once { received("once \($0.new)") }
    value.set(1)
    #expect(received.values == ["a 0-1", "b 0-1", "once 1", "c 0-10", "d 0-10", "once 10"])
    a.pause()
    c.pause()
    b.cancel()
    value.set(2)
    a.resume()
    c.resume()
    value.set(3)
    #expect(received.values.dropFirst(6) == ["d 10-20", "a 2-3", "c 20-30", "d 20-30"])
    withExtendedLifetime((a, c, d)) {}
  }

  @Test("Handlers of a deinitialized value end, and its last value can be read through what is derived")
  func theEnd() async {
    let canaries = Canaries()
    var value: Observed<Int>? = Observed(1)
    let token = value!.observe { [canary = canaries.make()] _ in canary.touch() }
    let member = value!.magnitude
    value?.set(2)
    value = nil
    #expect(!token.isActive)
    #expect(await canaries.quiesce())
    #expect(member.value == 2)
  }
}
