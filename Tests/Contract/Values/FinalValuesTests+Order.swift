import Testing
import Tidings
import TidingsTesting

// Values end after their sources, on any thread, and the code that their ends run may do what other code may.
extension FinalValuesTests {
  @Test("43. What is derived from a value ends after it")
  func order() async {
    let ends = Recorder<String>()
    var source: Observed<Int>? = Observed(1)
    let twice = source!.map { $0 * 2 }
    let sum = combine(twice, source!).map { $0.0 + $0.1 }
    var tokens: [Subscription] = []
    tokens.append(sum.observe { [end = DeinitCallback { ends("sum") }] _ in end.touch() })
    tokens.append(twice.observe { [end = DeinitCallback { ends("twice") }] _ in end.touch() })
    tokens.append(source!.observe { [end = DeinitCallback { ends("source") }] _ in end.touch() })
    source = nil
    #expect(ends.values == ["source", "twice", "sum"])
    withExtendedLifetime(tokens) {}
  }

  @Test("43. A long chain of values ends without taking the stack")
  func longChain() {
    var source: Observed<Int>? = Observed(1)
    var last = source!.map { $0 }
    let tokens = (0..<20_000).map { _ in
      let before = last
      last = before.map { $0 + 1 }
      return last.observe { _ in }
    }
    source?.set(2)
    source = nil
    #expect(tokens.allSatisfy { !$0.isActive } && last.value == 20_002)
  }

  @Test("43. A paused stream of the latest value gives it when it is resumed, and ends")
  func pausedLatest() async {
    var source: Observed<Int>? = Observed(1)
    let stream = source!.map { $0 }.stream(.latest)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    stream.subscription.pause()
    source?.set(2)
    source = nil
    stream.subscription.resume()
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == nil)
  }

  @Test("43. The end of a value that another replaces does not take its notification from the actor that sets")
  @MainActor func replaced() {
    final class Person: Sendable {
      let name: Observed<String>
      init(_ name: String) { self.name = Observed(name) }
    }
    let (person, shown) = (Observed(Person("Ada")), Recorder<String>())
    let token = person.chain { $0.name }.observe { change in
      MainActor.preconditionIsolated()
      shown(change.new)
    }
    let own = person.observe { _ in }
    person.set(Person("Grace"))
    #expect(shown.values == ["Grace"])
    withExtendedLifetime((token, own)) {}
  }

  @Test("43. What the captures of an ended handler destroy may write and observe")
  func writingCaptures() {
    var source: Observed<Int>? = Observed(1)
    let (other, received) = (Observed(0), Recorder<Int>())
    let value = source!.map { $0 }
    let follower = other.observe { received($0.new) }
    let token = value.observe {
      [end = DeinitCallback { _ = value.observe(.initial) { other.set($0.new) } }] _ in end.touch()
    }
    source?.set(5)
    source = nil
    #expect(received.values == [5] && !token.isActive)
    follower.cancel()
  }

  /// Threads release the sources while others write, read, observe and recompute what is derived from them.
  @Test("43. Values end with their sources while other threads read, observe and recompute them", arguments: 0..<20)
  func races(round: Int) async {
    for _ in 0..<50 {
      let sources = (0..<2).map { Locked<Observed<Int>?>(Observed($0)) }
      let readers = sources.map { $0.current!.reader }
      let sum = Derived { readers[0].value + readers[1].value }
      let twice = sum.map { $0 * 2 }
      let (received, initials, tokens) = (Recorder<Int>(), Recorder<Int>(), Recorder<Subscription>())
      tokens(twice.observe { received($0.new) })
      let stream = twice.stream(.latest)
      await Threads.together(4) { thread in
        switch thread {
        case 0, 1:
          sources[thread].current?.set(10)
          sources[thread].current = nil
        case 2: tokens(twice.observe(.initial) { initials($0.new) })
        default: _ = twice.value
        }
      }
      #expect(tokens.values.allSatisfy { !$0.isActive })
      #expect(received.values.last == 40 && initials.values.last == 40)
      #expect(await stream.all().last == 40)
    }
  }
}
