import Dispatch
import Harness

/// The cost of the dialects, compared with the loop of the library that each represents.
enum Dialects {
  static func rows() -> [Row] {
    [
      Row(
        RowName.dialects, family: "dialects", size: 10, floor: ClosureArray.name,
        [
          Emit.trial(ClosureArray.self, 10),
          Emit.trial(ClosureEventsDialect.self, 10),
          Emit.trial(SimpleNotifierDialect.self, 10),
          Emit.trial(EventDispatchingDialect.self, 10),
          Emit.trial(ObservableSwiftDialect.self, 10),
          Emit.trial(SubjectObserverDialect.self, 10),
          Emit.trial(BarrierSubject.self, 10),
        ]),
      Row(
        RowName.subjects, family: "subjects", size: 10, floor: BarrierSubject.name,
        [fromFour(SubjectObserverDialect.self), fromFour(BarrierSubject.self)]),
    ]
  }

  /// Wall time by the sends of all four threads.
  private static func fromFour<C: Contender & Sendable>(_: C.Type) -> Trial {
    .timed(C.name) {
      let contender = C()
      // A tally for each: four threads that add to one would measure that.
      let tokens = (0..<10).map { _ in contender.subscribe(Tally()) }
      return { count in
        let each = max(1, count / 4)
        let stopwatch = Stopwatch(.wall)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in contender.emit(0..<each) }
        let time = stopwatch.nanoseconds
        withExtendedLifetime(tokens) {}
        return Timing(nanoseconds: time, operations: each * 4)
      }
    }
  }
}
