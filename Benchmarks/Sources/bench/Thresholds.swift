import Harness

/// The thresholds of a full run, in one place. They are ratios within one run, because nanoseconds differ from machine to machine.
///
/// The closure array costs two atomic operations a handler. On a machine with cheap atomics and expensive calls, no code can be
/// faster than the array by such a ratio. There, a contender within twice the bare calls of the same closures is on the floor.
enum Thresholds {
  private typealias Figure = Threshold.Figure

  static let all: [Threshold] =
    emit + local + threads + subscriptions + values + derived + cores + waiting + dialects

  private static let emit: [Threshold] = [
    floor(Serial.name, 1, atMost: 0.6),
    floor(Serial.name, 10, atMost: 0.2),
    floor(Serial.name, 1000, atMost: 0.16),
    // Without handlers: what an event costs that nothing observes.
    within(RowName.emit(to: 0), Serial.name, to: PlainCall.name, atMost: 2.5),
    // In place, so hardly dearer than a handler without isolation, notified from there or from anywhere.
    within(RowName.emit(to: 1), OnMainActor.name, to: FromMainActor.name, atMost: 1.3),
    within(RowName.emit(to: 10), OnMainActor.name, to: Serial.name, atMost: 1.3)
      .or(within: 1.3, of: Figure(FromMainActor.name, RowName.emit(to: 10))),
    within(RowName.emit(to: 1000), OnMainActor.name, to: Serial.name, atMost: 1.3),
  ]

  private static let local: [Threshold] = [
    floor(Local.name, 1, atMost: 0.22),
    floor(Local.name, 10, atMost: 0.14),
    floor(Local.name, 1000, atMost: 0.15),
  ]

  private static let threads: [Threshold] = [
    within(RowName.threads, Serial.name, to: OpenCombinePeer.name, atMost: 0.6),
    within(RowName.threads, Immediate.name, to: OpenCombinePeer.name, atMost: 0.25),
  ]

  private static let subscriptions: [Threshold] = [
    within(RowName.subscribe, Serial.name, to: OpenCombinePeer.name, atMost: 0.1),
    .ratio(
      Figure(Serial.name, RowName.cancel("1,000,000", "in order")),
      to: Figure(Serial.name, RowName.cancel("10", "in order")), atMost: 1.5),
    .bytes(Figure(Serial.name, RowName.memory), atMost: 128).or(
      within: 1.05, of: Figure(BareObjects.name, RowName.memory)),
    .bytes(Figure(OnMainActor.name, RowName.memory), atMost: 176),
  ]

  private static let values: [Threshold] = [
    within(RowName.set(1), ObservedValue.name, to: CurrentValueSubjectPeer.name, atMost: 0.2),
    .bytes(Figure(ObservedValue.name, RowName.memoryObserved), atMost: 464),
    .bytes(Figure(DerivedValue.name, RowName.memoryDerived), atMost: 640),
  ]

  /// The permitted cost of deciding what to recompute, for any thread, compared with recomputing by hand.
  private static let derived: [Threshold] = [
    within(RowName.diamond, DerivedValue.name, to: ByHand.name, atMost: 9),
    within(RowName.wide(1000), DerivedValue.name, to: ByHand.name, atMost: 15),
    within(RowName.deep("1000"), DerivedValue.name, to: ByHand.name, atMost: 10),
    within(RowName.cellx(1000), DerivedValue.name, to: ByHand.name, atMost: 24),
  ]

  /// Two threads do 1.8 times as much as one, on their own values and on values that both only read. They do 1.5 times as much if
  /// the values of each depend on one source that is rarely written. If both write the same value, they do together at least nine
  /// tenths of what one does alone.
  private static let cores: [Threshold] =
    [
      "read a value", "set with 1 handler", "update", "diamond 1-2-1", "wide 1-100", "deep 10", "transaction of 4 sets",
      "read one shared value", "read one shared derived value",
    ].map { within(RowName.cores($0), Cores.two, to: Cores.one, atMost: 2 / 1.8) } + [
      within(RowName.cores("own chain of 10 on one shared source"), Cores.two, to: Cores.one, atMost: 2 / 1.5),
      within(RowName.cores("update one shared value"), Cores.two, to: Cores.one, atMost: 2 / 0.9),
      // Neither of two threads that update one value starves.
      .ratio(Figure(Fairness.more, RowName.fairness), to: Figure(Fairness.less, RowName.fairness), atMost: 4),
      .ratio(
        Figure(Cores.one, RowName.cores("transaction of 4 sets")),
        to: Figure(Cores.one, RowName.cores("set with 1 handler")),
        atMost: 8),
    ]

  private static let waiting: [Threshold] = [
    within(RowName.stream, TidingsStream.name, to: AsyncStreamPeer.name, atMost: 0.06),
    within(RowName.streamOnMain, TidingsStream.name, to: AsyncStreamPeer.name, atMost: 0.06),
    within(RowName.ask, Hooks.first, to: Hooks.plainCall, atMost: 4),
  ]

  /// No dearer than the loop that each one's seed has, written again.
  private static let dialects: [Threshold] =
    [
      ClosureEventsDialect.name, SimpleNotifierDialect.name, EventDispatchingDialect.name, ObservableSwiftDialect.name,
    ].map { within(RowName.dialects, $0, to: ClosureArray.name, atMost: 1) } + [
      within(RowName.dialects, SubjectObserverDialect.name, to: BarrierSubject.name, atMost: 0.7)
    ]

  private static func within(
    _ row: String, _ contender: String, to other: String, atMost limit: Double
  ) -> Threshold {
    .ratio(Figure(contender, row), to: Figure(other, row), atMost: limit)
  }

  private static func floor(_ contender: String, _ handlers: Int, atMost limit: Double) -> Threshold {
    within(RowName.emit(to: handlers), contender, to: ClosureArray.name, atMost: limit)
      .or(within: 2, of: Figure(BareCalls.name, RowName.emit(to: handlers)))
  }
}
