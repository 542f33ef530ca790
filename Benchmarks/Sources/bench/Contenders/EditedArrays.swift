import Harness
import Tidings
import TidingsCollections

/// One edit of an array, of four kinds.
enum EditKind: String, CaseIterable {
  case append, insert, remove, replace
}

/// An array with the results of `map`, `filter` and `sorted`, that are kept up to date.
protocol EditedArray {
  static var name: String { get }
  init(_ elements: [Int], _ tally: Tally)
  func edit(_ kind: EditKind, _ number: Int, at offset: Int)
}

/// Plain arrays that are edited in place: no other code can read them during an edit, and no handler is notified.
final class ByHandArrays: EditedArray {
  static let name = "arrays by hand"
  fileprivate var source, mapped, filtered, sorted: [Int]
  private let tally: Tally

  init(_ elements: [Int], _ tally: Tally) {
    source = elements
    (mapped, filtered, sorted) = (elements.map { $0 &+ 1 }, elements.filter { $0 & 1 == 0 }, elements.sorted())
    self.tally = tally
  }

  func edit(_ kind: EditKind, _ number: Int, at offset: Int) {
    switch kind {
    case .append: insert(number, at: source.count)
    case .insert: insert(number, at: offset)
    case .remove: remove(at: offset)
    case .replace:
      remove(at: offset)
      insert(number, at: offset)
    }
    tally.add(3)
  }
  private func insert(_ number: Int, at offset: Int) {
    if number & 1 == 0 { filtered.insert(number, at: rank(offset)) }
    source.insert(number, at: offset)
    mapped.insert(number &+ 1, at: offset)
    sorted.insert(number, at: place(of: number))
  }
  private func remove(at offset: Int) {
    let number = source[offset]
    if number & 1 == 0 { filtered.remove(at: rank(offset)) }
    source.remove(at: offset)
    mapped.remove(at: offset)
    sorted.remove(at: place(of: number))
  }
  /// How many even numbers are before an offset.
  private func rank(_ offset: Int) -> Int {
    offset == source.count ? filtered.count : source[..<offset].reduce(0) { $0 &+ (~$1 & 1) }
  }
  private func place(of number: Int) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The same, where a reader has the arrays of before the edit: each is copied.
final class WholeCopies: EditedArray {
  static let name = "whole copies"
  private let arrays: ByHandArrays
  private var kept: [[Int]] = []

  init(_ elements: [Int], _ tally: Tally) { arrays = ByHandArrays(elements, tally) }
  func edit(_ kind: EditKind, _ number: Int, at offset: Int) {
    kept = [arrays.source, arrays.mapped, arrays.filtered, arrays.sorted]
    arrays.edit(kind, number, at: offset)
  }
}

/// An observed array, its operators, and a handler of the differences of each.
final class ObservedArrays: EditedArray {
  static let name = "`ObservedArray`"
  private let source: ObservedArray<Int>
  private let tokens: [Subscription]

  init(_ elements: [Int], _ tally: Tally) {
    source = ObservedArray(elements)
    tokens = [source.map { $0 &+ 1 }, source.filter { $0 & 1 == 0 }, source.sorted()].map { followed in
      followed.differences.observe { difference in tally.add(difference.isReset ? 0 : 1) }
    }
  }
  func edit(_ kind: EditKind, _ number: Int, at offset: Int) { source.edit(kind, number, at: offset) }
}

/// An observed array without followers.
final class ObservedArrayAlone: EditedArray {
  static let name = "`ObservedArray`, alone"
  private let source: ObservedArray<Int>
  init(_ elements: [Int], _ tally: Tally) { source = ObservedArray(elements) }
  func edit(_ kind: EditKind, _ number: Int, at offset: Int) { source.edit(kind, number, at: offset) }
}

extension ObservedArray<Int> {
  fileprivate func edit(_ kind: EditKind, _ number: Int, at offset: Int) {
    switch kind {
    case .append: append(number)
    case .insert: insert(number, at: offset)
    case .remove: remove(at: offset)
    case .replace: set(number, at: offset)
    }
  }
}
