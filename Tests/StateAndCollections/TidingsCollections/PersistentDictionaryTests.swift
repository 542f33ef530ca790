import Testing
import TidingsTesting

@testable import TidingsCollections

@Suite("Persistent dictionaries")
struct PersistentDictionaryTests {
  @Test("Any operations leave a persistent dictionary equal to a dictionary, and every old copy as it was")
  func againstDictionaries() {
    for seed in Runs.seeds(2, of: "persistent dictionary") {
      randomised(seed) { $0 }
      // Keys of few hash values, and of hash values that differ late.
      randomised(seed) { Colliding(number: $0, hash: $0 % 3) }
      randomised(seed) { "key \($0)" }
    }
  }
  private struct Colliding: Hashable, Sendable {
    let number, hash: Int
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  private func randomised<Key: Hashable & Sendable>(_ seed: UInt64, _ key: (Int) -> Key) {
    var random = SplitMix64(seed)
    var (plain, tree): ([Key: String], PersistentDictionary<Key, String>) = ([:], PersistentDictionary())
    var kept: [(tree: PersistentDictionary<Key, String>, plain: [Key: String])] = []
    for step in 0..<2_000 {
      let number = random.number(below: 400)
      if random.number(below: 10) < (step % 1_000 < 500 ? 7 : 3) {
        let old = plain.updateValue("\(step)", forKey: key(number))
        if tree.updateValue("\(step)", forKey: key(number)) != old { return fail(seed, step, "the old element") }
      } else {
        let old = plain.removeValue(forKey: key(number))
        if tree.removeValue(forKey: key(number)) != old { return fail(seed, step, "the removed element") }
      }
      let other = key(random.number(below: 400))
      if tree[other] != plain[other] { return fail(seed, step, "an element") }
      if tree.count != plain.count || (tree.root == nil) != plain.isEmpty { return fail(seed, step, "the count") }
      if step % 20 == 0 {
        if tree.dictionary != plain { return fail(seed, step, "elements") }
        let pairs = DictionarySnapshot(tree).map { ($0, $1) }
        if pairs.count != plain.count || !pairs.allSatisfy({ plain[$0] == $1 }) { return fail(seed, step, "iteration") }
        if kept.contains(where: { $0.tree.dictionary != $0.plain }) { return fail(seed, step, "an old copy") }
        if let problem = tree.root?.problem { return fail(seed, step, problem) }
      }
      if random.isOne(in: 100) { kept.append((tree, plain)) }
      if kept.count > 6 { kept.removeFirst() }
    }
    for key in plain.keys { _ = tree.removeValue(forKey: key) }
    if tree.root != nil { fail(seed, -1, "what is left") }
  }
  private func fail(_ seed: UInt64, _ step: Int, _ problem: String) {
    Issue.record("TIDINGS_SEED=\(seed), step \(step): \(problem)")
  }

  @Test("Elements that are removed, replaced or left with the last copy are released")
  func releasing() {
    let rows = Canaries()
    var tree: PersistentDictionary<Int, Canary>? = PersistentDictionary()
    for number in 0..<1_000 { tree!.set(rows.make(), for: number) }
    let old = Locked(tree)
    for number in 0..<500 { _ = tree!.removeValue(forKey: number) }
    for number in 400..<700 { tree!.set(rows.make(), for: number) }
    #expect(rows.alive == 1_300)
    old.current = nil
    #expect(rows.alive == tree!.count && tree!.count == 600)
    tree = nil
    #expect(rows.alive == 0)
  }
}

extension TrieNode {
  /// Names what a node has that none may have.
  fileprivate var problem: String? {
    if count == 0 { return "an empty node" }
    guard let branch = self as? TrieBranch else { return nil }
    if count <= 4 { return "a branch with \(count) keys" }
    if branch.children.map(\.count).reduce(0, +) != count { return "a wrong count" }
    return branch.children.lazy.compactMap(\.problem).first
  }
}
