import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Counts and descriptions of collections")
struct CollectionDescriptionTests {
  @Test("`count` and `isEmpty` are values: notified when they differ, of one moment with the elements")
  func counts() {
    let (tasks, prices, received) = (
      ObservedArray(["read", "write!"]), ObservedDictionary(["MSFT": 40]), Recorder<Int>()
    )
    let urgent = tasks.filter { $0.hasSuffix("!") }
    let token = urgent.count.observe(.initial) { received($0.new) }
    tasks.edit { $0[1] = "rewrite!" }
    tasks.append("rest")
    #expect(received.values == [1], "as many as before")
    transaction {
      tasks.append("sleep!")
      tasks.append("eat!")
      #expect(urgent.count.value == 3 && !urgent.isEmpty.value)
    }
    #expect(received.values == [1, 3])
    #expect((prices.count.value, prices.isEmpty.value) == (1, false))
    prices.set(nil, for: "MSFT")
    #expect((prices.count.value, prices.isEmpty.value) == (0, true))
    withExtendedLifetime(token) {}
  }

  @Test("Each says what it is, its label, its elements, and how many subscribe")
  func descriptions() {
    let (tasks, prices) = (ObservedArray(["read"], label: "tasks"), ObservedDictionary(["MSFT": 40], label: "prices"))
    let token = tasks.differences.observe { _ in }
    #expect("\(tasks)" == #"ObservedArray 'tasks': ["read"], 1 subscription"#)
    #expect("\(prices)" == #"ObservedDictionary 'prices': ["MSFT": 40], 0 subscriptions"#)
    let (long, dear) = (tasks.map { $0 + "ing" }, prices.filter { $1 > 30 })
    #expect("\(long)" == "DerivedArray: not computed, 0 subscriptions")
    _ = (long.value, dear.value)
    #expect("\(long)" == #"DerivedArray: ["reading"], 0 subscriptions"#)
    #expect("\(dear)" == #"DerivedDictionary: ["MSFT": 40], 0 subscriptions"#)
    for mirror in [tasks, prices, long, dear].map({ Mirror(reflecting: $0) }) {
      #expect(mirror.children.map(\.label) == ["label", "value", "isStale", "subscriptions"])
    }
    withExtendedLifetime(token) {}
  }
}
