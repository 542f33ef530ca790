import Testing

@testable import Tidings

/// The one conversion that the compiler cannot check, with every shape of payload that is passed in a different way.
@Suite("A closure that knows its isolation is called as a plain one")
struct IsolationTests {
  struct Large: Sendable, Equatable {
    var a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9
  }
  final class Reference: Sendable {}
  enum Trouble: Error, Equatable { case here(Int) }

  final class Box<Value>: @unchecked Sendable { var value: Value? }

  /// Returns what a closure receives when it is called after the conversion, in generic code as in the engine.
  func received<P: Sendable>(_ value: P) -> P? {
    let box = Box<P>()
    let handler: @isolated(any) @Sendable (P) -> Void = { box.value = $0 }
    plain(handler)(value)
    return box.value
  }

  @Test("payloads of every kind arrive unchanged")
  func payloads() {
    #expect(received(7) == 7)
    #expect(
      received("a string that is too long to be stored in place") == "a string that is too long to be stored in place")
    #expect(received(Large()) == Large())
    #expect(received(Int?.none) == .some(nil))
    #expect(received([1, 2, 3]) == [1, 2, 3])
    #expect(received(()) != nil)
    #expect(received((1, "two", 3.0))?.1 == "two")
    let reference = Reference()
    let same = received(reference)
    #expect(same === reference)
    let existential: any Sendable & Equatable = 5
    #expect(received(existential) as? Int == 5)
    let closure: @Sendable (Int) -> Int = { $0 + 1 }
    #expect(received(closure)?(1) == 2)
  }

  @Test("closures of concrete type, not generic ones, survive the conversion too")
  func concrete() {
    let box = Box<Int>()
    let whole: @isolated(any) @Sendable (Int) -> Void = { box.value = $0 }
    plain(whole)(1)
    #expect(box.value == 1)
    let nothing: @isolated(any) @Sendable (()) -> Void = { _ in box.value = 2 }
    plain(nothing)(())
    #expect(box.value == 2)
    let large: @isolated(any) @Sendable (Large) -> Void = { box.value = $0.i }
    plain(large)(Large())
    #expect(box.value == 9)
  }

  @Test("an owner and a payload arrive unchanged")
  func pairs() {
    let reference = Reference()
    let box = Box<(Reference, String)>()
    let handler: @isolated(any) @Sendable (Reference, String) -> Void = { box.value = ($0, $1) }
    plain(handler)(reference, "seen")
    #expect(box.value?.0 === reference)
    #expect(box.value?.1 == "seen")
  }

  @Test("a typed error is thrown through the conversion")
  func throwing() {
    let handler: @isolated(any) @Sendable (Int) throws(Trouble) -> Void = { value throws(Trouble) in
      if value > 1 { throw .here(value) }
    }
    let call = plain(handler)
    #expect(throws: Never.self) { try call(1) }
    #expect(throws: Trouble.here(2)) { try call(2) }
  }

  actor Counter {
    var count = 0
    func converted(
      @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (Int) -> Void
    ) -> Converted<Int> { Converted(handler) }
    func closure() -> Converted<Int> { converted { self.count += $0 } }
    func call(_ handler: @Sendable (Int) -> Void, _ value: Int) { handler(value) }
    func call(_ handler: @Sendable (Counter, Large) -> Void, _ value: Large) { handler(self, value) }
  }

  @Test("an actor's closure is called in place on its actor, and still says which actor it belongs to")
  func actorClosure() async {
    let counter = Counter()
    let handler = await counter.closure()
    await counter.call(handler.call, 3)
    #expect(await counter.count == 3)
    #expect(handler.isolation === counter)
  }

  @Test("a closure on an isolated owner is called on that owner")
  func isolatedOwner() async {
    let counter = Counter()
    let call = plain(onOwner: { (owner: isolated Counter, value: Large) in owner.count += value.i })
    await counter.call(call, Large())
    #expect(await counter.count == 9)
  }

  @Test("a main-actor closure names the main actor, one without isolation none")
  func mainActor() async {
    let onMain: @isolated(any) @Sendable (Int) -> Void = { @MainActor _ in }
    #expect(Converted(onMain).isolation === MainActor.shared)
    let free: @isolated(any) @Sendable (Int) -> Void = { _ in }
    #expect(Converted(free).isolation == nil)
  }
}
