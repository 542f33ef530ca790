// Only the standard library, so that the fuzzer takes this file too.

/// Every member that the standard library requires of an array's protocols or derives from them, on any such collection.
///
/// The same calls on an array are the oracle.
struct CollectionMembers<C: MutableCollection & RangeReplaceableCollection & RandomAccessCollection>
where C.Element == Int, C.Index == Int, C.SubSequence: MutableCollection & RangeReplaceableCollection {
  private typealias Member = (_ c: inout C, _ n: Numbers) -> [Int]

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

  /// Members that change the collection, also an empty one.
  private static var changing: [Member] {
    [
      { c, n in
        c.append(n.value)
        return []
      },
      { c, n in
        c.append(contentsOf: n.values)
        return []
      },
      { c, n in
        c.append(contentsOf: n.values.lazy.map { -$0 })
        return []
      },
      { c, n in
        c.insert(n.value, at: n.first)
        return []
      },
      { c, n in
        c.insert(contentsOf: n.values, at: n.first)
        return []
      },
      { c, n in
        c.removeSubrange(n.range)
        return []
      },
      { c, n in
        c.removeSubrange(n.second...)
        return []
      },
      { c, n in
        c.removeSubrange(..<n.first)
        return []
      },
      { c, n in
        c.removeFirst(n.first)
        return []
      },
      { c, n in
        c.removeLast(n.first)
        return []
      },
      { c, n in [c.popLast() ?? -1] },
      { c, n in
        c.removeAll()
        return []
      },
      { c, n in
        c.removeAll(keepingCapacity: true)
        return []
      },
      { c, n in
        c.removeAll(keepingCapacity: false)
        return []
      },
      { c, n in
        c.removeAll { $0 % 3 == n.value % 3 }
        return []
      },
      { c, n in
        c.replaceSubrange(n.range, with: n.values)
        return []
      },
      { c, n in
        c.replaceSubrange(..<n.first, with: n.values.reversed())
        return []
      },
      { c, n in
        c.reserveCapacity(n.value)
        return []
      },
      { c, n in
        c = c.filter { $0 % 2 == 0 }
        return []
      },
      { c, n in
        c = c + n.values
        return []
      },
      { c, n in
        c = n.values + c
        return []
      },
      { c, n in
        c = c + n.values.lazy.map { $0 + 1 }
        return []
      },
      { c, n in
        c = c + c
        return []
      },
      { c, n in
        c += n.values
        return []
      },
      { c, n in
        c = C()
        return []
      },
      { c, n in
        c = C(n.values)
        return []
      },
      { c, n in
        c = C(c.reversed())
        return []
      },
      { c, n in
        c = C(repeating: n.value, count: n.first)
        return []
      },
      { c, n in
        let before = c
        c.append(n.value)
        c.reverse()
        c = before
        return []
      },
      { c, n in
        var other = C(n.values)
        swap(&c, &other)
        other.append(n.value)
        return Array(other)
      },
      { c, n in
        var other = c
        other.append(n.value)
        swap(&c, &other)
        return Array(other)
      },
      { c, n in
        c.sort()
        return []
      },
      { c, n in
        c.sort { $0 % 10 < $1 % 10 }
        return []
      },
      { c, n in
        c.reverse()
        return []
      },
      { c, n in
        c.shuffle()
        c.sort()
        return []
      },
      { c, n in
        var generator = Generator(state: n.seed)
        c.shuffle(using: &generator)
        return []
      },
      { c, n in [c.partition { $0 % 2 == n.value % 2 }] },
      { c, n in
        c[n.range] = c[n.range]
        return []
      },
      { c, n in
        c[n.range] = c[...]
        return []
      },
      { c, n in
        c[...] = c[n.first...]
        return []
      },
      { c, n in
        c[n.range].sort()
        return []
      },
      { c, n in
        c[n.range].append(n.value)
        return []
      },
      { c, n in
        c[n.range].removeAll { $0 % 2 == 0 }
        return []
      },
      { c, n in
        c[n.range].removeAll()
        return []
      },
      { c, n in
        c[n.first...].reverse()
        return []
      },
      { c, n in
        c.moveSubranges(RangeSet(n.range), to: n.value % (c.count + 1)).map { $0 }
      },
      { c, n in
        c.removeSubranges(RangeSet([n.range, 0..<(n.first / 2)]))
        return []
      },
      { c, n in
        let target = n.values + c.prefix(n.first)
        c = c.applying(target.difference(from: Array(c)))!
        return []
      },
    ]
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

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }
}
