import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Setting an array by differences")
struct DiffingTests {
  private struct Person: Identifiable, Equatable {
    let id: Int
    var name = ""
  }
  /// Equatable, and no more.
  private struct Plain: Equatable {
    let number: Int
  }
  private struct Row: Identifiable {
    let id: Int
    let name: String
  }

  @Test("Elements that stay are not edited; others are inserted, removed, moved and replaced")
  func editsOfASet() {
    let (list, edits) = (ObservedArray(["a", "b", "c"]), Recorder<[ArrayEdit<String>]>())
    let token = list.differences.observe { difference in
      #expect(!difference.isReset)
      edits(difference.edits)
    }
    list.set(["a", "x", "b", "c"], diffing: \.self)
    list.set(["x", "b", "c", "a"], diffing: \.self)
    list.set(["x", "a"], diffing: \.self)
    list.set(["x", "a"], diffing: \.self)
    let expected: [[ArrayEdit<String>]] = [
      [.insert("x", at: 1)], [.move("a", from: 0, to: 3)], [.remove("c", at: 2), .remove("b", at: 1)],
    ]
    #expect(edits.values == expected, "and setting what is there is no change")
    withExtendedLifetime(token) {}
  }

  @Test("An element with the same identity is replaced if it differs, and moved with its identity")
  func identities() {
    let people = ObservedArray([Person(id: 1, name: "Ada"), Person(id: 2, name: "Bob"), Person(id: 3, name: "Cy")])
    let edits = Recorder<[ArrayEdit<Person>]>()
    let token = people.differences.observe { edits($0.edits) }
    people.set([Person(id: 1, name: "Ada"), Person(id: 2, name: "Rob"), Person(id: 3, name: "Cy")], diffing: \.id)
    people.set([Person(id: 3, name: "Cy"), Person(id: 1, name: "Ada"), Person(id: 2, name: "Rob")], diffing: \.id)
    #expect(
      edits.values == [
        [.replace(Person(id: 2, name: "Bob"), with: Person(id: 2, name: "Rob"), at: 1)],
        [.move(Person(id: 3, name: "Cy"), from: 2, to: 0)],
      ])
    withExtendedLifetime(token) {}
  }

  @Test("An element that cannot be compared is replaced, an object by another alone")
  func elementsThatCannotBeCompared() {
    final class Node: Sendable {
      let id: Int
      init(_ id: Int) { self.id = id }
    }
    let (rows, nodes, counts) = (
      ObservedArray([Row(id: 1, name: "a")]), ObservedArray([Node(1), Node(2)]), Recorder<Int>()
    )
    let tokens = [
      rows.differences.observe { counts($0.edits.count) }, nodes.differences.observe { counts($0.edits.count) },
    ]
    rows.set([Row(id: 1, name: "b")], diffing: \.id)
    #expect(rows[0].name == "b" && counts.values == [1])
    nodes.set(nodes.value, diffing: \.id)
    #expect(counts.values == [1], "the same objects")
    let other = Node(2)
    nodes.set([nodes[0], other], diffing: \.id)
    #expect(nodes[1] === other && counts.values == [1, 1])
    withExtendedLifetime(tokens) {}
  }

  @Test("Whatever the arrays are, the edits lead from one to the other, with each identity kept as often as it can be")
  func anyArrays() {
    for seed in Runs.seeds(300, of: "diffing") {
      var random = SplitMix64(seed)
      let range = 1 + random.number(below: 12)
      func people() -> [Person] {
        (0..<random.number(below: 14)).map { _ in
          Person(id: random.number(below: range), name: random.isOne(in: 4) ? "other" : "")
        }
      }
      let list = ObservedArray(people())
      let plain = ObservedArray(list.value.map { Plain(number: $0.id) })
      let (mirror, removals) = (Locked(list.value), Locked(0))
      let token = list.differences.observe { difference in
        mirror.withLock { mirror in for edit in difference.edits { edit.apply(to: &mirror) } }
        removals.current = difference.edits.count { if case .remove = $0 { true } else { false } }
        #expect(!difference.isReset)
      }
      for _ in 0..<5 {
        let (old, new) = (list.value, people())
        removals.current = 0
        list.set(new, diffing: \.id)
        plain.set(new.map { Plain(number: $0.id) }, diffing: \.self)
        let kept = Set(old.map(\.id)).reduce(0) { kept, id in
          kept + min(old.count { $0.id == id }, new.count { $0.id == id })
        }
        guard
          list.value == new, mirror.current == new, removals.current == old.count - kept,
          plain.value.map(\.number) == new.map(\.id)
        else {
          Issue.record("TIDINGS_SEED=\(seed): \(old) to \(new)")
          return
        }
      }
      withExtendedLifetime(token) {}
    }
  }
}
