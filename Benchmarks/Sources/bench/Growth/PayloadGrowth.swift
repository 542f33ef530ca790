import Harness

/// From nothing to four kilobytes, kept in place: what an emit costs by the size of what it delivers.
enum PayloadGrowth {
  static func rows() -> [Row] {
    [
      row(Nothing.self), row(Int.self), row(Eight<Int>.self), row(Eight<Eight<Int>>.self),
      row(Eight<Eight<Eight<Int>>>.self),
    ]
  }

  private static func row<P: Payload>(_: P.Type) -> Row {
    let bytes = MemoryLayout<P>.size
    return Row(
      RowName.payload(bytes), family: "emit, by payload", size: bytes, axis: "bytes", floor: ClosureArray.name,
      [
        trial(ClosureArrayOf<P>.self),
        trial(SerialOf<P>.self),
        trial(LocalOf<P>.self),
        trial(OpenCombineOf<P>.self),
      ])
  }

  private static func trial<C: PayloadContender>(_: C.Type) -> Trial {
    .timed(C.name, maximumRounds: Growth.rounds(1)) {
      let (contender, tally) = (C(), Tally())
      let token = contender.subscribe(tally)
      return { count in
        let payload = C.Notified(word: 1)
        let before = tally.total
        let watch = Stopwatch()
        contender.emit(payload, count)
        let time = watch.nanoseconds
        withExtendedLifetime(token) {}
        if tally.total - before != count { fatalError("\(C.name) did not hand over what was emitted") }
        return Timing(nanoseconds: time, operations: count)
      }
    }
  }
}

/// A value of some size, with a word in it for the handler to read.
protocol Payload: Sendable {
  init(word: Int)
  var word: Int { get }
}

struct Nothing: Payload {
  init(word: Int) {}
  var word: Int { 1 }
}

extension Int: Payload {
  init(word: Int) { self = word }
  var word: Int { self }
}

struct Eight<Part: Payload>: Payload {
  private let parts: (Part, Part, Part, Part, Part, Part, Part, Part)

  init(word: Int) {
    let part = Part(word: word)
    parts = (part, part, part, part, part, part, part, part)
  }

  var word: Int { parts.7.word }
}
