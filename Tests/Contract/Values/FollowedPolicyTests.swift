import Testing
import Tidings
import TidingsTesting

/// The paragraph "The same value" of the contract: what follows a source without a closure of the user's follows its policy.
@Suite("The policy of a source that is followed")
struct FollowedPolicyTests {
  /// A type whose `==` compares less than all there is.
  private struct Person: Equatable, Sendable {
    var id = 1
    var name = "Ada"
    var tags: [String] = []
    static func == (one: Person, other: Person) -> Bool { one.id == other.id }
  }
  private struct Pair: Equatable, Sendable {
    var person = Person()
    var number = 0
  }

  @Test("combine and a member follow a source whose type compares less than its policy")
  func coarseComparison() {
    let (pair, other, names) = (Observed(Pair()), Observed(0), Recorder<String>())
    let (member, both) = (pair.person, combine(pair, other))
    let tokens = [member.observe { names($0.new.name) }, both.observe { names("both \($0.new.0.person.name)") }]
    pair.update { $0.person.name = "Grace" }
    #expect(names.values.sorted() == ["Grace", "both Grace"])
    #expect(member.value.name == "Grace" && both.value.0.person.name == "Grace")
    withExtendedLifetime(tokens) {}
  }

  @Test("They are not notified where the source has not changed by its policy, or only another member has")
  func unchanged() {
    let (person, other) = (Observed(Person(tags: ["a"]), changes: .by { $0.name == $1.name }), Observed(0))
    let calls = Tallies()
    let tokens = [
      person.tags.observe { _ in calls("tags") }, combine(person, other).observe { _ in calls("both") },
    ]
    person.set(Person(id: 2, tags: ["b"]))
    #expect(calls.all.isEmpty, "the source says that nothing has changed")
    person.set(Person(name: "Grace", tags: ["a"]))
    #expect(calls.all == ["both": 1], "an equal array is no change")
    other.set(0)
    #expect(calls.all == ["both": 1])
    other.set(1)
    #expect(calls.all == ["both": 2])
    withExtendedLifetime(tokens) {}
  }

  @Test("A derived value takes a comparison")
  func ownComparison() {
    let (person, number, log) = (Observed(Person()), Observed(0), Recorder<String>())
    let shown = Derived("shown", changes: .every) { person.value }
    let near = Derived(changes: .by { abs($0 - $1) < 10 }) { number.value }
    let tokens = [shown.observe { log($0.new.name) }, near.observe { log("\($0.new)") }]
    person.update { $0.name = "Grace" }
    #expect(log.values == ["Grace"] && shown.value.name == "Grace")
    for new in [5, 9, 12, 15, 30] { number.set(new) }
    #expect(log.values.dropFirst() == ["12", "30"])
    withExtendedLifetime(tokens) {}
  }

  @Test("The closure of a derived value can get the previous result")
  func previousResult() {
    let score = Observed(3)
    let highest = Derived("highest", previous: 0) { previous in max(previous, score.value) }
    #expect(highest.value == 3)
    score.set(7)
    #expect(highest.value == 7)
    score.set(5)
    #expect(highest.value == 7)
    score.set(100)
    score.set(6)
    #expect(highest.value == 7, "what was never computed is not seen")
    let calls = Recorder<Int>()
    let token = highest.observe { calls($0.new) }
    for new in [8, 2, 9] { score.set(new) }
    #expect(calls.values == [8, 9])
    let inside = transaction {
      score.set(20)
      return highest.value
    }
    #expect(inside == 20 && calls.values == [8, 9, 20])
    withExtendedLifetime(token) {}
  }
}

private final class Tallies: Sendable {
  private let counts = Locked<[String: Int]>([:])
  func callAsFunction(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
  var all: [String: Int] { counts.current }
}
