// Only the standard library, so that the fuzzer takes this file too.

/// Every member that the standard library requires of an array's protocols or derives from them, on any such collection.
///
/// The same calls on an array are the oracle.
struct CollectionMembers<C: MutableCollection & RangeReplaceableCollection & RandomAccessCollection>
where C.Element == Int, C.Index == Int, C.SubSequence: MutableCollection & RangeReplaceableCollection {
  typealias Member = (_ c: inout C, _ n: Numbers) -> [Int]

  /// The arguments of a call. Each is valid for a collection of that size.
  struct Numbers {
    let first, second, value: Int
    let values: [Int]
    let seed: UInt64

    init(_ count: Int, _ next: (_ below: Int) -> Int) {
      let bounds = [next(count + 1), next(count + 1)].sorted()
      (first, second, value) = (bounds[0], bounds[1], next(100))
      values = (0..<next(4)).map { _ in next(100) }
      seed = UInt64(next(256))
    }
    var range: Range<Int> { first..<second }
  }

  static var count: Int { changing.count + changingOne.count + reading.count }

  /// Calls a member by its number.
  ///
  /// - Returns: What the member returned.
  static func call(_ number: Int, on c: inout C, _ numbers: Numbers) -> [Int] {
    let index = number % count
    if index < changing.count { return changing[index](&c, numbers) }
    if index < changing.count + changingOne.count {
      return c.isEmpty ? [] : changingOne[index - changing.count](&c, numbers)
    }
    return reading[index - changing.count - changingOne.count](&c, numbers)
  }

  /// Members that need an element.
  private static var changingOne: [Member] {
    [
      { c, n in [c.remove(at: n.first % c.count)] },
      { c, n in [c.removeFirst()] },
      { c, n in [c.removeLast()] },
      { c, n in
        c[n.first % c.count] = n.value
        return []
      },
      { c, n in
        c[n.first % c.count] += n.value
        return []
      },
      { c, n in
        c.swapAt(n.first % c.count, n.second % c.count)
        return []
      },
      { c, n in
        if c.withContiguousMutableStorageIfAvailable({ $0[0] = n.value }) == nil { c[0] = n.value }
        return []
      },
      { c, n in
        func double(_ number: inout Int) { number *= 2 }
        double(&c[n.first % c.count])
        return []
      },
      { c, n in
        for index in c.indices { c[index] -= 1 }
        return []
      },
    ]
  }

  /// Members that only read.
  private static var reading: [Member] {
    [
      { c, n in [c.count, c.startIndex, c.endIndex, c.first ?? -1, c.last ?? -1, c.isEmpty ? 1 : 0] },
      { c, n in Array(c.prefix(n.first)) + c.suffix(n.first) + c.dropFirst(n.first) + c.dropLast(n.second) },
      { c, n in Array(c[n.range]) + c[n.first...] + c.reversed() + Array(c.indices) },
      { c, n in [c.lastIndex { $0 < n.value } ?? -1, c.last { $0 < n.value } ?? -1, c.firstIndex(of: n.value) ?? -1] },
      { c, n in
        var index = c.index(c.startIndex, offsetBy: n.second)
        if index > 0 { c.formIndex(before: &index) }
        let limited = c.index(index, offsetBy: n.value, limitedBy: c.endIndex) ?? -1
        return [index, limited, c.distance(from: index, to: c.endIndex)]
      },
      { c, n in c.difference(from: n.values).map { if case .insert(let offset, _, _) = $0 { offset } else { -1 } } },
      { c, n in Array(c.removingSubranges(RangeSet(n.range))) + c[RangeSet(n.range)] },
      { c, n in c.split { $0 % 2 == 0 }.flatMap { [-1] + $0 } + c.map { $0 + 1 } + c.shuffled().sorted() },
      { c, n in c.withContiguousStorageIfAvailable { Array($0) } ?? Array(c) },
    ]
  }
}
