import Harness

/// From one handler to a million: what an emit costs for each of them, and what adding and cancelling one among them costs.
enum HandlersGrowth {
  static func rows(quick: Bool) -> [Row] {
    let sizes = quick ? [1, 100, 10_000] : [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
    return sizes.map(emit) + sizes.map(subscribe)
  }

  private static func emit(_ handlers: Int) -> Row {
    Row(
      RowName.emitEach(handlers), family: "emit, per handler", size: handlers, axis: "handlers",
      floor: ClosureArray.name,
      [
        emit(ClosureArray.self, handlers),
        emit(Serial.self, handlers),
        emit(Immediate.self, handlers),
        emit(Local.self, handlers),
        emit(OpenCombinePeer.self, handlers),
        emit(NotificationCenterPeer.self, handlers),
      ])
  }

  private static func emit<C: Contender>(_: C.Type, _ handlers: Int) -> Trial {
    .timed(C.name, maximumRounds: Growth.rounds(handlers)) {
      let (contender, tally) = (C(), Tally())
      let tokens = (0..<handlers).map { _ in contender.subscribe(tally) }
      Emit.expect(contender, tally, handlers)
      return { count in
        let watch = Stopwatch()
        contender.emit(0..<count)
        let time = watch.nanoseconds
        withExtendedLifetime(tokens) {}
        return Timing(nanoseconds: time, operations: count * handlers)
      }
    }
  }

  private static func subscribe(_ handlers: Int) -> Row {
    Row(
      RowName.subscribe(among: handlers), family: "subscribe + cancel, among others", size: handlers, axis: "handlers",
      floor: ClosureArray.name,
      [
        subscribe(ClosureArray.self, handlers),
        subscribe(Serial.self, handlers),
        subscribe(Immediate.self, handlers),
        subscribe(Local.self, handlers),
        subscribe(OpenCombinePeer.self, handlers),
        subscribe(NotificationCenterPeer.self, handlers),
      ])
  }

  private static func subscribe<C: Cancelling>(_: C.Type, _ handlers: Int) -> Trial {
    .timed(C.name, maximumRounds: Growth.rounds(handlers)) {
      let (contender, tally) = (C(), Tally())
      let tokens = (0..<handlers).map { _ in contender.subscribe(tally) }
      return { count in
        let watch = Stopwatch()
        for _ in 0..<count { contender.cancel(contender.subscribe(tally)) }
        let time = watch.nanoseconds
        withExtendedLifetime(tokens) {}
        return Timing(nanoseconds: time, operations: count)
      }
    }
  }
}
