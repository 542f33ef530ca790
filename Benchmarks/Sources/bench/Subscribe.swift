import Harness

/// One handler is added and cancelled again, its token included.
enum Subscribe {
  static func rows() -> [Row] {
    [
      Row(
        RowName.subscribe, family: "subscribe", floor: ClosureArray.name,
        [
          trial(ClosureArray.self),
          trial(Serial.self),
          trial(Immediate.self),
          trial(Local.self),
          trial(OpenCombinePeer.self),
          trial(NotificationCenterPeer.self),
        ])
    ]
  }

  private static func trial<C: Cancelling>(_: C.Type) -> Trial {
    .timed(C.name) {
      let contender = C()
      let tally = Tally()
      return { count in
        let watch = Stopwatch()
        for _ in 0..<count { contender.cancel(contender.subscribe(tally)) }
        return Timing(nanoseconds: watch.nanoseconds, operations: count)
      }
    }
  }
}
