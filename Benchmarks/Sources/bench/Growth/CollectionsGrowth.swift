import Harness
import Tidings
import TidingsCollections

/// The cost of an edit of a collection, by its number of elements.
enum CollectionsGrowth {
  static func rows(quick: Bool) -> [Row] {
    let sizes = quick ? [1_000, 10_000] : [1_000, 100_000, 1_000_000]
    return EditKind.allCases.flatMap { kind in sizes.map { edit(kind, $0) } } + sizes.map(iterate) + sizes.map(setKey)
  }

  private static func edit(_ kind: EditKind, _ size: Int) -> Row {
    Row(
      RowName.edit(kind.rawValue, of: size), family: "an edit: \(kind)", size: size, axis: "elements",
      floor: ByHandArrays.name,
      [
        trial(ByHandArrays.self, kind, size), trial(WholeCopies.self, kind, size),
        trial(ObservedArrayAlone.self, kind, size), trial(ObservedArrays.self, kind, size),
      ])
  }
  private static func trial<A: EditedArray>(_: A.Type, _ kind: EditKind, _ size: Int) -> Trial {
    .timed(A.name, maximumRounds: Growth.rounds(size)) {
      let tally = Tally()
      func make() -> A { A((0..<size).map { $0 &* 7_919 % 1_000_003 }, tally) }
      // The number of elements stays within a half of the size.
      var (array, left) = (make(), size / 2)
      return { count in
        var (time, done) = (Timing(), 0)
        while done < count {
          if left == 0 { (array, left) = (make(), size / 2) }
          let edits = kind == .replace ? count : min(count - done, left)
          let watch = Stopwatch()
          for number in 0..<edits {
            let offset = kind == .replace ? number &* 7_919 % size : size / 4
            array.edit(kind, number &* 31 % 1_000_003, at: offset)
          }
          time += Timing(nanoseconds: watch.nanoseconds, operations: edits)
          done += edits
          if kind != .replace { left -= edits }
        }
        return time
      }
    }
  }

  private static func iterate(_ size: Int) -> Row {
    func loop(_ name: String, _ make: @escaping () -> some Sequence<Int>) -> Trial {
      .timed(name, maximumRounds: Growth.rounds(size)) {
        let (elements, tally) = (make(), Tally())
        return { count in
          let turns = max(1, count / size)
          let watch = Stopwatch()
          for _ in 0..<turns {
            var sum = 0
            for element in elements { sum = (sum ^ element) &+ 1 }
            tally.add(sum)
          }
          return Timing(nanoseconds: watch.nanoseconds, operations: turns * size)
        }
      }
    }
    return Row(
      RowName.iterate(size), family: "iterate", size: size, axis: "elements", floor: "array",
      [
        loop("array") { Array(0..<size) },
        loop("snapshot") { ObservedArray(Array(0..<size)).snapshot },
      ])
  }

  private static func setKey(_ size: Int) -> Row {
    let keys = Dictionary(uniqueKeysWithValues: (0..<size).map { ($0, $0) })
    return Row(
      RowName.setKey(of: size), family: "set a key", size: size, axis: "keys", floor: "dictionaries by hand",
      [
        .timed("dictionaries by hand", maximumRounds: Growth.rounds(size)) {
          var (source, mapped) = (keys, keys.mapValues { $0 &+ 1 })
          var filtered = keys.filter { $1 & 1 == 0 }
          return { count in
            let watch = Stopwatch()
            for number in 0..<count {
              let key = number &* 7_919 % size
              source[key] = number
              mapped[key] = number &+ 1
              filtered[key] = number & 1 == 0 ? number : nil
            }
            return Timing(nanoseconds: watch.nanoseconds, operations: count)
          }
        },
        .timed("`ObservedDictionary`", maximumRounds: Growth.rounds(size)) {
          let (source, tally) = (ObservedDictionary(keys), Tally())
          let tokens = [source.mapValues { $0 &+ 1 }, source.filter { $1 & 1 == 0 }].map { followed in
            followed.differences.observe { difference in tally.add(difference.isReset ? 0 : 1) }
          }
          return { count in
            let watch = Stopwatch()
            for number in 0..<count { source.set(number, for: number &* 7_919 % size) }
            let time = watch.nanoseconds
            withExtendedLifetime(tokens) {}
            return Timing(nanoseconds: time, operations: count)
          }
        },
      ])
  }
}
