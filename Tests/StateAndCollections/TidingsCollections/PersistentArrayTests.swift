import Testing
import TidingsTesting

@testable import TidingsCollections

@Suite("Persistent arrays")
struct PersistentArrayTests {
  @Test(
    "Any operations leave a persistent array equal to an array, and every old copy as it was, with all nodes well filled"
  )
  func againstArrays() {
    for seed in Runs.seeds(2, of: "persistent array") {
      randomised(seed, first: 0) { $0 }
      randomised(seed, first: 3_000) { $0 }
      randomised(seed, first: 400) { Wide(number: $0, text: "number \($0)") }
    }
  }
  private struct Wide: Equatable, Sendable {
    let number: Int
    let text: String
    var padding: (Int, Int, Int) = (1, 2, 3)
    static func == (one: Self, other: Self) -> Bool { one.number == other.number && one.text == other.text }
  }

  private func randomised<E: Equatable & Sendable>(_ seed: UInt64, first: Int, _ element: (Int) -> E) {
    var random = SplitMix64(seed)
    var plain = (0..<first).map(element)
    var tree = PersistentArray(plain)
    var kept: [(tree: PersistentArray<E>, plain: [E])] = []
    for step in 0..<400 {
      let (number, place) = (random.number(below: 1_000_000), random.number(below: plain.count + 1))
      // The tree grows for a while, and then shrinks to nothing.
      switch random.number(below: step % 200 < 100 ? 5 : 9) {
      case 0, 1:
        plain.insert(element(number), at: place)
        tree.insert(element(number), at: place)
      case 2:
        for _ in 0..<number % 90 {
          plain.append(element(number))
          tree.append(element(number))
        }
      case 3:
        if plain.isEmpty { continue }
        plain[place % plain.count] = element(number)
        tree[place % plain.count] = element(number)
      case 4:
        let new = (0..<number % 40).map { element($0 + number) }
        let range = place..<min(plain.count, place + number % 33)
        plain.replaceSubrange(range, with: new)
        tree.replaceSubrange(range, with: new)
      case 5, 6:
        // Neighbors, so that whole nodes become empty.
        for _ in 0..<number % 200 where !plain.isEmpty {
          let removed = plain.remove(at: place % plain.count)
          if tree.remove(at: place % (plain.count + 1)) != removed { return fail(seed, step, "what was removed") }
        }
      default:
        let offsets = plain.indices.filter { ($0 &* 7 &+ number) % 50 < number % 5 }
        plain.removeSubranges(RangeSet(offsets, within: plain))
        tree.remove(at: offsets)
      }
      if tree.array != plain || tree.count != plain.count { return fail(seed, step, "elements") }
      if let problem = tree.root?.problem(isLast: true) { return fail(seed, step, problem) }
      if !plain.isEmpty, tree[place % plain.count] != plain[place % plain.count] {
        return fail(seed, step, "an element")
      }
      if random.isOne(in: 50) { kept.append((tree, plain)) }
      if kept.count > 6 { kept.removeFirst() }
      if step % 10 == 0, kept.contains(where: { $0.tree.array != $0.plain }) { return fail(seed, step, "an old copy") }
    }
  }
  private func fail(_ seed: UInt64, _ step: Int, _ problem: String) {
    Issue.record("TIDINGS_SEED=\(seed), step \(step): \(problem)")
  }

  @Test("An edit copies one path of nodes, and the next edit of the same copy none")
  func sharing() {
    let before = PersistentArray(Array(0..<100_000))
    var after = before
    after[50_000] = 1
    let copied = after.root!.all.subtracting(before.root!.all)
    #expect(copied.count == before.root!.level + 1)
    after[50_001] = 1
    after.insert(7, at: 50_000)
    after.remove(at: 50_000)
    #expect(after.root!.all.subtracting(before.root!.all) == copied)
  }

  @Test("Elements that are removed, replaced or left with the last copy are released", arguments: [10, 1_000, 5_000])
  func releasing(_ count: Int) {
    let rows = Canaries()
    var tree: PersistentArray<Canary>? = PersistentArray((0..<count).map { _ in rows.make() })
    let old = Locked(tree)
    for number in 0..<count / 2 { tree!.remove(at: (number * 7) % tree!.count) }
    for number in 0..<count / 4 { tree![number] = rows.make() }
    for number in 0..<count { tree!.insert(rows.make(), at: (number * 31) % tree!.count) }
    #expect(rows.alive == count + count / 4 + count)
    old.current = nil
    #expect(rows.alive == tree!.count)
    tree = nil
    #expect(rows.alive == 0)
  }

  @Test("A tree that grows at its end is full, and one of a million elements has at most seven levels")
  func depth() {
    var tree = PersistentArray<Int>()
    for number in 0..<64 * 16 * 16 { tree.append(number) }
    #expect(tree.root!.level == 2 && tree.root!.all.count == 1 + 16 + 256)
    #expect(PersistentArray(Array(0..<1_000_000)).root!.level <= 6)
  }
}

extension Node {
  /// Names what a node has that none may have.
  fileprivate func problem(isLast: Bool) -> String? {
    if entries > capacity || entries < (isLast ? 1 : minimum) { return "\(entries) entries at level \(level)" }
    guard let branch = self as? Branch else { return nil }
    if branch.nodes.map(\.count).reduce(0, +) != count { return "a wrong count" }
    for (index, node) in branch.nodes.enumerated() {
      if node.level != level - 1 { return "levels" }
      if let problem = node.problem(isLast: isLast && index == entries - 1) { return problem }
    }
    return nil
  }
  /// The nodes from here on.
  fileprivate var all: Set<ObjectIdentifier> {
    ((self as? Branch)?.nodes ?? []).reduce(into: [ObjectIdentifier(self)]) { $0.formUnion($1.all) }
  }
}
