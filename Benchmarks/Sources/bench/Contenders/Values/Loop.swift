import Harness

/// The loop of a row: it does one operation, such as a set, for each payload.
///
/// A contender builds the work with its handlers and gives back this loop, which is in its own code and keeps all
/// that must live. Payloads go up by one from 1, so that every setting is a change.
typealias Loop = (Range<Int>) -> Void

extension Trial {
  /// A loop over payloads, checked: each payload must have added to the tally what `receives` says. `parts` is how many
  /// operations one payload makes.
  static func loop(
    _ name: String, parts: Int = 1, maximumRounds: Int = .max, receives: @escaping (Int) -> Int,
    _ make: @escaping (Tally) -> Loop
  ) -> Trial {
    .timed(name, maximumRounds: maximumRounds) {
      let tally = Tally()
      let loop = make(tally)
      var next = 1
      return { count in
        let payloads = next..<next + count
        next += count
        let before = tally.total
        let watch = Stopwatch()
        loop(payloads)
        let time = watch.nanoseconds
        let timing = Timing(nanoseconds: time, operations: count * parts)
        if Options.isCounting { return timing }
        let received = tally.total &- before
        let right = payloads.reduce(0) { $0 &+ receives($1) }
        // Not a precondition, whose words a release build leaves out.
        if received != right {
          fatalError("\(name) passed \(received) to its handlers in all, where \(right) is right")
        }
        return timing
      }
    }
  }
}
