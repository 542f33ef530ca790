import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite("What is asked of a value speaks of values")
struct ValuesOfValueSourcesTests {
  private final class Person: Sendable {
    let name = Observed("Ada")
    let nick = Observed<String?>(nil)
    let friend = Observed<Person?>(nil)
  }

  @Test("chain takes closures of several statements, with and without optional links")
  func chains() {
    let (person, selected) = (Observed(Person()), Observed<Person?>(nil))
    let name = person.chain { person in
      let chosen = person
      return chosen.name
    }
    let either = person.chain { person in if person.nick.value == nil { person.name } else { person.name } }
    let optional = selected.chain { person in
      let chosen = person
      return chosen?.name
    }
    let flat = selected.chain { person in
      let chosen = person
      return chosen?.nick
    }
    let guarded = selected.chain { person in
      if let person { return person.name }
      return nil
    }
    let values: (String, String, String?, String?, String?) = (
      name.value, either.value, optional.value, flat.value, guarded.value
    )
    #expect(values == ("Ada", "Ada", nil, nil, nil))
    selected.set(person.value)
    person.value.nick.set("Countess")
    #expect(optional.value == "Ada" && flat.value == "Countess" && guarded.value == "Ada")
  }

  @Test("first { } of a value waits for a value, and takes the current one")
  func first() async {
    let price = Observed(1)
    #expect(await price.first { $0 == 1 } == 1)
    let double = price.map { $0 * 2 }
    async let found = double.first { $0 > 10 }
    Threads.start { for new in 2...6 { price.set(new) } }
    #expect(await found == 12)
    var ended: Observed<Int>? = Observed(1)
    let last = ended!.map { $0 }
    ended = nil
    #expect(await last.first { $0 > 1 } == nil)
  }

  @Test("drained() of a value waits for its handlers")
  func drained() async {
    let (value, gate, handled) = (Observed(0), Gate(), Tally())
    let sum = value.map { $0 }
    let tokens = [
      value.observe { _ in
        await gate.wait()
        handled.add(1)
      },
      sum.observe { _ in
        await gate.wait()
        handled.add(1)
      },
    ]
    value.set(1)
    Threads.start { gate.open() }
    await value.drained()
    await sum.drained()
    #expect(handled.total == 2)
    withExtendedLifetime(tokens) {}
  }

  @Test("withLatest(from: a value) pairs with the value from the beginning")
  func withLatest() {
    let (ordered, price, log) = (Event<String>(), Observed(1), Recorder<String>())
    let token = ordered.withLatest(from: price).observe { order, price in log("\(order) \(price)") }
    ordered.emit("a")
    price.set(2)
    ordered.emit("b")
    #expect(log.values == ["a 1", "b 2"])
    token.cancel()
  }
}
