import Harness

/// The cost of notifying a number of handlers.
enum Emit {
  static func rows() -> [Row] { [0, 1, 10, 100, 1000].map(row) }

  private static func row(_ handlers: Int) -> Row {
    var trials = [
      trial(ClosureArray.self, handlers),
      trial(BareCalls.self, handlers),
      trial(Serial.self, handlers),
      trial(Immediate.self, handlers),
      trial(OnMainActor.self, handlers),
      trial(FromMainActor.self, handlers),
      trial(Local.self, handlers),
      trial(OpenCombinePeer.self, handlers),
      trial(NotificationCenterPeer.self, handlers),
      trial(ObservationPeer.self, handlers),
    ]
    if handlers == 0 { trials.insert(trial(PlainCall.self, 0), at: 0) }
    return Row(
      RowName.emit(to: handlers), family: "emit", size: handlers, axis: "handlers", floor: ClosureArray.name, trials)
  }

  static func trial<C: Contender>(_: C.Type, _ handlers: Int) -> Trial {
    .timed(C.name) {
      let contender = C()
      let tally = Tally()
      let tokens = (0..<handlers).map { _ in contender.subscribe(tally) }
      expect(contender, tally, handlers)
      return { count in
        let watch = Stopwatch()
        contender.emit(0..<count)
        let time = watch.nanoseconds
        withExtendedLifetime(tokens) {}
        return Timing(nanoseconds: time, operations: count)
      }
    }
  }

  /// A contender that does not call its handlers is not measured.
  static func expect<C: Contender>(_ contender: C, _ tally: Tally, _ handlers: Int) {
    let before = tally.total
    contender.emit(1..<3)  // two, as Observation receives the value before
    precondition(tally.total - before >= handlers, "\(C.name) did not call its handlers in place")
  }
}
