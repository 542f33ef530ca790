import Harness

/// What `--check` asks for, in one place. Ratios within one run, because nanoseconds differ from machine to machine.
enum Thresholds {
  private typealias Figure = Threshold.Figure

  static let all: [Threshold] =
    emit + dialects + derived + [
      .ratio(
        Figure(ObservedValue.name, RowName.set(1)), to: Figure(CurrentValueSubjectPeer.name, RowName.set(1)),
        atMost: 0.25),
      .ratio(
        Figure(Serial.name, RowName.cancel("1,000,000", "in order")),
        to: Figure(Serial.name, RowName.cancel("10", "in order")), atMost: 2),
      stream(RowName.stream), stream(RowName.streamOnMain),
      .ratio(Figure(Hooks.first, RowName.ask), to: Figure(Hooks.plainCall, RowName.ask), atMost: 4),
      .bytes(Figure(Serial.name, RowName.memory), atMost: 160),
      .bytes(Figure(OnMainActor.name, RowName.memory), atMost: 176),
    ]

  private static let emit: [Threshold] = [
    floor(Serial.name, handlers: 1, atMost: 0.75),
    floor(Serial.name, handlers: 10, atMost: 0.25),
    floor(Serial.name, handlers: 1000, atMost: 0.18),
    floor(Local.name, handlers: 10, atMost: 0.15),
  ]

  /// No dearer than the loop that each one's seed has, written again.
  private static let dialects: [Threshold] =
    [
      ClosureEventsDialect.name, SimpleNotifierDialect.name, EventDispatchingDialect.name, ObservableSwiftDialect.name,
    ].map { .ratio(Figure($0, RowName.dialects), to: Figure(ClosureArray.name, RowName.dialects), atMost: 1) } + [
      .ratio(
        Figure(SubjectObserverDialect.name, RowName.dialects), to: Figure(BarrierSubject.name, RowName.dialects),
        atMost: 0.7)
    ]

  private static func stream(_ row: String) -> Threshold {
    .ratio(Figure(TidingsStream.name, row), to: Figure(AsyncStreamPeer.name, row), atMost: 0.1)
  }

  /// What finding out what to compute, and for any thread, may cost.
  private static let derived: [Threshold] = [
    byHand(RowName.diamond, atMost: 11),
    byHand(RowName.wide(1000), atMost: 20),
    byHand(RowName.deep("1000"), atMost: 12),
    byHand(RowName.cellx(1000), atMost: 28),
  ]

  private static func byHand(_ row: String, atMost limit: Double) -> Threshold {
    .ratio(Figure(DerivedValue.name, row), to: Figure(ByHand.name, row), atMost: limit)
  }

  private static func floor(_ contender: String, handlers: Int, atMost limit: Double) -> Threshold {
    let row = RowName.emit(to: handlers)
    return .ratio(Figure(contender, row), to: Figure(ClosureArray.name, row), atMost: limit)
  }
}
