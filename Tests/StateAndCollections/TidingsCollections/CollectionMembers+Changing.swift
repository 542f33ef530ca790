// Only the standard library, so that the fuzzer takes this file too.

extension CollectionMembers {
  /// Members that change the collection, also an empty one.
  static var changing: [Member] {
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
}

private struct Generator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
