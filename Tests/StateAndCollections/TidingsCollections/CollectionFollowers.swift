// The fuzzer takes this file too, with a `Locked` of its own.
import Tidings
import TidingsCollections

#if canImport(TidingsTesting)
import TidingsTesting
#endif

/// The followers of an array: mirrors made of its differences, and operators with mirrors of theirs.
final class ArrayFollowers {
  private let list: ObservedArray<Int>
  private let mapped, filtered, sorted: DerivedArray<Int>
  private let mirrors: [Locked<[Int]>]
  private let problem: Locked<String?>
  private let tokens: [Subscription]

  init(_ list: ObservedArray<Int>) {
    self.list = list
    (mapped, filtered) = (list.map { $0 * 2 }, list.filter { $0 % 3 != 0 })
    sorted = list.sorted { $0 % 10 < $1 % 10 }
    let (sources, problem): ([any ArraySource<Int>], Locked<String?>) = ([list, mapped, filtered, sorted], Locked(nil))
    self.problem = problem
    mirrors = sources.map { Locked($0.value) }
    tokens = zip(sources, mirrors).map { source, mirror in
      source.differences.observe { difference in
        mirror.withLock { mirror in
          let converted = mirror.applying(difference.collectionDifference)
          if converted != difference.elements { problem.current = "a CollectionDifference" }
          for edit in difference.edits { edit.apply(to: &mirror) }
        }
      }
    }
  }

  /// Names the follower that differs from the array, or from what the standard library makes of it.
  var disagreement: String? {
    if let problem = problem.current { return problem }
    for (index, name) in Self.names.enumerated() {
      let mirror = mirrors[index].current
      if mirror != expected[index] { return "the mirror of \(name): \(mirror), not \(expected[index])" }
    }
    return valueDisagreement
  }
  /// The same without the mirrors, which receive nothing before a transaction ends.
  var valueDisagreement: String? {
    let values = [list.value, mapped.value, filtered.value, sorted.value]
    return zip(Self.names, zip(values, expected)).first { $1.0 != $1.1 }?.0
  }
  private static let names = ["the array", "map", "filter", "sorted"]
  private var expected: [[Int]] {
    let value = list.value
    return [value, value.map { $0 * 2 }, value.filter { $0 % 3 != 0 }, value.sorted { $0 % 10 < $1 % 10 }]
  }
}

/// The followers of a dictionary: mirrors made of its differences, and operators with mirrors of theirs.
final class DictionaryFollowers {
  private let prices: ObservedDictionary<Int, Int>
  private let mapped, filtered: DerivedDictionary<Int, Int>
  private let mirrors: [Locked<[Int: Int]>]
  private let problem: Locked<String?>
  private let tokens: [Subscription]

  init(_ prices: ObservedDictionary<Int, Int>) {
    self.prices = prices
    (mapped, filtered) = (prices.mapValues { $0 * 2 }, prices.filter { ($0 + $1) % 3 != 0 })
    let sources: [any DictionarySource<Int, Int>] = [prices, mapped, filtered]
    let problem = Locked<String?>(nil)
    self.problem = problem
    mirrors = sources.map { Locked($0.value) }
    tokens = zip(sources, mirrors).map { source, mirror in
      source.differences.observe { difference in
        mirror.withLock { mirror in
          for edit in difference.edits {
            if mirror[edit.key] != edit.old { problem.current = "the old element of an edit" }
            mirror[edit.key] = edit.new
          }
        }
      }
    }
  }

  /// Names the follower that differs from the dictionary, or from what the standard library makes of it.
  var disagreement: String? {
    let value = prices.value
    let expected = [value, value.mapValues { $0 * 2 }, value.filter { ($0 + $1) % 3 != 0 }]
    if let problem = problem.current { return problem }
    for (index, name) in ["the dictionary", "mapValues", "filter"].enumerated() {
      let mirror = mirrors[index].current
      if mirror != expected[index] { return "the mirror of \(name): \(mirror), not \(expected[index])" }
    }
    return mapped.value != expected[1] || filtered.value != expected[2] ? "a value" : nil
  }
}
