import Harness

/// The cost of an emit on one of many events: one event to a thousand, with one handler each. The program emits to them in turn, so
/// an event is not the one of the previous emit.
enum EventsGrowth {
  static func rows(quick: Bool) -> [Row] {
    (quick ? [1, 100] : [1, 10, 100, 1_000]).map { events in
      Row(
        RowName.events(events), family: "emit to one of many events in turn", size: events, axis: "events",
        floor: ClosureArray.name,
        [
          trial(ClosureArray.self, events),
          trial(Serial.self, events),
          trial(Immediate.self, events),
          trial(Local.self, events),
          trial(OpenCombinePeer.self, events),
          trial(NotificationCenterPeer.self, events),
        ])
    }
  }

  private static func trial<C: Contender>(_: C.Type, _ events: Int) -> Trial {
    .timed(C.name, maximumRounds: Growth.rounds(events)) {
      let tally = Tally()
      let contenders = (0..<events).map { _ in C() }
      let tokens = contenders.map { $0.subscribe(tally) }
      return { count in
        let turns = max(1, count / events)
        let before = tally.total
        let watch = Stopwatch()
        for _ in 0..<turns {
          for contender in contenders { contender.emit(1..<2) }
        }
        let time = watch.nanoseconds
        withExtendedLifetime(tokens) {}
        if tally.total - before != turns * events { fatalError("\(C.name) did not call every handler in place") }
        return Timing(nanoseconds: time, operations: turns * events)
      }
    }
  }
}
