import Testing
import Tidings
import TidingsCollections
import TidingsTesting

@Suite("Contents that are replaced")
struct ReplaceableSourceTests {
  private struct Row: Identifiable, Equatable {
    let id: Int
    var name: String
  }
  private struct Plain: Equatable { var name: String }

  @Test("Elements are found again by their id, by themselves or by their index, and the edits are those that differ")
  func identities() {
    let rows = ObservedArray([Row(id: 1, name: "a"), Row(id: 2, name: "b")])
    let words = ObservedArray(["a", "b", "c"])
    let plain = ObservedArray([Plain(name: "a"), Plain(name: "b")])
    let (ofRows, ofWords, ofPlain) = (rows.differences.record(), words.differences.record(), plain.differences.record())
    rows.replaceContents { _ in [Row(id: 2, name: "b"), Row(id: 1, name: "c")] }
    words.replaceContents { $0.filter { $0 != "b" } }
    plain.replaceContents { $0.map { Plain(name: $0.name == "b" ? "c" : $0.name) } }
    #expect(
      rows.value.map(\.name) == ["b", "c"] && words.value == ["a", "c"] && plain.value.map(\.name) == ["a", "c"])
    #expect(ofRows.values.map { $0.edits.count } == [2], "a move and a replacement")
    #expect(ofWords.values.map { $0.edits.count } == [1] && ofPlain.values.map { $0.edits.count } == [1])
    #expect(!ofRows.values[0].isReset && !ofWords.values[0].isReset && !ofPlain.values[0].isReset)
  }

  @Test("Contents that are equal, or left, are no change")
  func equal() {
    let (words, prices) = (ObservedArray(["a"]), ObservedDictionary(["a": 1]))
    let tokens = [words.observeEdits { Issue.record("edited") }, prices.observeEdits { Issue.record("edited") }]
    words.replaceContents { _ in nil }
    words.replaceContents { $0 }
    prices.replaceContents { _ in nil }
    prices.replaceContents { $0 }
    withExtendedLifetime(tokens) {}
  }

  @Test("Of a dictionary those keys are edited whose elements differ")
  func keys() {
    let prices = ObservedDictionary(["a": 1, "b": 2, "c": 3])
    let differences = prices.differences.record()
    prices.replaceContents { _ in ["a": 1, "b": 5, "d": 4] }
    #expect(prices.value == ["a": 1, "b": 5, "d": 4])
    #expect(differences.values.map { $0.keys } == [["b", "c", "d"]])
  }
}
