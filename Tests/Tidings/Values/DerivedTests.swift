import Testing
import Tidings
import TidingsTesting

@Suite("Derived")
struct DerivedTests {
  enum Fault: Error, Equatable { case empty, negative }

  @Test("A closure that throws yields a Result, which is kept and notified like a value, and recovers")
  func throwing() {
    let (text, runs, received) = (Observed("1"), Locked(0), Recorder<Result<Int, Fault>>())
    let number = Derived { () throws(Fault) in
      runs.withLock { $0 += 1 }
      guard let number = Int(text.value) else { throw Fault.empty }
      guard number >= 0 else { throw Fault.negative }
      return number
    }
    // `untyped` has a closure with untyped throws, and `next` reads it.
    let untyped = Derived { () throws in try number.value.get() }
    let next = Derived { (try? untyped.value.get()) ?? 0 }
    #expect(number.value == .success(1) && next.value == 1)
    let token = number.observe { received($0.new) }
    text.set("")
    #expect(number.value == .failure(.empty) && number.value == .failure(.empty))
    #expect(throws: Fault.empty) { try untyped.value.get() }
    for new in ["x", "-1", "2"] { text.set(new) }
    #expect(received.values == [.failure(.empty), .failure(.negative), .success(2)])
    #expect(runs.current == 5 && next.value == 2)
    token.cancel()
  }

  @Test("A value that is not `Equatable` is notified whenever it was computed")
  func notEquatable() {
    struct Plain: Sendable { var number: Int }
    let (source, other, received) = (Observed(1), Observed(1), Recorder<Int>())
    let value = Derived { Plain(number: min(source.value, 0)) }
    let token = value.observe { received($0.new.number) }
    source.set(1)
    source.set(2)
    other.set(2)
    #expect(received.values == [0, 0])
    token.cancel()
  }

  @Test("A value found `Equatable` at run time is compared")
  func equatableAllTheSame() {
    func derived<Value: Sendable>(_ compute: @escaping @Sendable () -> Value) -> Derived<Value> {
      Derived { compute() }
    }
    let (source, received) = (Observed(1), Recorder<Int>())
    let value = derived { source.value / 10 }
    let token = value.observe { received($0.new) }
    source.set(2)
    #expect(received.values.isEmpty)
    source.set(20)
    #expect(received.values == [2])
    token.cancel()
  }

  @Test("It outlives what it reads when its closure keeps that, and the other way round")
  func droppedSources() async {
    let canaries = Canaries()
    func make() -> (Derived<Int>, Derived<Int>) {
      let (source, canary) = (Observed(3), canaries.make())
      let inner = Derived {
        canary.touch()
        return source.value + 1
      }
      return (Derived { inner.value * 10 }, source.chain { _ in Observed(7) })
    }
    var made: (Derived<Int>, Derived<Int>)? = make()
    #expect(made?.0.value == 40 && made?.1.value == 7)
    let token = made?.0.observe { _ in }
    #expect(await canaries.quiesce(atMost: 1) && canaries.alive == 1)
    made = nil
    token?.cancel()
    #expect(await canaries.quiesce())
  }

  @Test("A subscription keeps it alive", arguments: [false, true])
  func keptByItsHandlers(isFiltered: Bool) {
    let (source, received) = (Observed(1), Recorder<Int>())
    var value: Derived<Int>? = Derived { source.value * 2 }
    let token =
      isFiltered ? value!.filter { _ in true }.observe { received($0.new) } : value!.observe { received($0.new) }
    value = nil
    source.set(2)
    #expect(received.values == [4])
    token.cancel()
    source.set(3)
    #expect(received.values == [4])
  }

  @Test("Values made inside a closure are dependencies as well", arguments: [false, true])
  func temporaries(isWatched: Bool) {
    struct Profile: Sendable {
      var city = "Ur"
      var name = "Ada"
    }
    let (profile, other, runs, received) = (Observed(Profile()), Observed(1), Locked(0), Recorder<String>())
    let text = Derived {
      runs.withLock { $0 += 1 }
      return profile.city.value + " \(Derived { other.value * 2 }.value) \(combine(other, profile.name).value.1)"
    }
    let token = isWatched ? text.observe { received($0.new) } : nil
    #expect(text.value == "Ur 2 Ada")
    profile.update { $0.city = "Uruk" }
    #expect(text.value == "Uruk 2 Ada")
    other.set(2)
    #expect(text.value == "Uruk 4 Ada")
    profile.update { $0.name = "Grace" }
    #expect(text.value == "Uruk 4 Grace")
    if isWatched { #expect(received.values == ["Uruk 2 Ada", "Uruk 4 Ada", "Uruk 4 Grace"]) }
    withExtendedLifetime(token) {}
  }

  @Test("Nothing leaks: closures, values and handlers end with the last reference")
  func nothingLeaks() async {
    let canaries = Canaries()
    do {
      let source = Observed(canaries.make())
      let flag = Observed(true)
      let one = Derived { [canary = canaries.make()] in
        canary.touch()
        return flag.value ? source.value : canaries.make()
      }
      let two = Derived { (one.value, Derived { one.value }.value, canaries.make()) }
      let token = two.observe { [canary = canaries.make()] _ in canary.touch() }
      let unread = Derived { [canary = canaries.make()] in canary.touch() }
      for round in 0..<20 {
        source.set(canaries.make())
        transaction {
          source.set(canaries.make())
          flag.set(round % 2 == 0)
          _ = two.value
        }
        try? transaction {
          source.set(canaries.make())
          throw Fault.empty
        }
        _ = (one.value, two.value)
      }
      #expect(await canaries.quiesce(atMost: 11))
      token.cancel()
      withExtendedLifetime(unread) {}
    }
    #expect(await canaries.quiesce())
  }

  @Test("Nothing leaks when threads read, write and observe at the same time")
  func nothingLeaksAmongThreads() async {
    let canaries = Canaries()
    for _ in 0..<20 {
      let source = Observed(canaries.make())
      let value = Derived { (source.value, canaries.make()) }
      await Threads.together(3) { thread in
        for _ in 0..<20 {
          switch thread {
          case 0: source.set(canaries.make())
          case 1: value.observe { [canary = canaries.make()] _ in canary.touch() }.cancel()
          default: _ = Derived { [value.value.1, canaries.make()] }.value
          }
        }
      }
    }
    #expect(await canaries.quiesce())
  }
}
