public import Tidings

/// What a source tells from now on, kept in order.
///
/// ```swift
/// let recording = traded.record()
/// traded.emit(Trade("MSFT", price: 39.81))
/// #expect(recording.values.map(\.symbol) == ["MSFT"])
/// ```
///
/// What is told on another thread is waited for, without sleeping:
///
/// ```swift
/// let trades = await recording.values(atLeast: 3)
/// ```
///
/// It hears from its creation until it is stopped or goes, and keeps the source no more than any subscription does. Of an
/// `Observed` or `Derived` it keeps the changes.
public final class Recording<Payload: Sendable>: Sendable {
  private let recorder: Recorder<Payload>
  private let subscription: Subscription

  init(_ subscribe: (@escaping @Sendable (Payload) -> Void) -> Subscription) {
    let recorder = Recorder<Payload>()
    let end = End(recorder)
    self.recorder = recorder
    subscription = subscribe { end.recorder($0) }
  }
  // The subscription to an actor would outlive its token.
  deinit { subscription.cancel() }

  /// All that was heard so far.
  public var values: [Payload] { recorder.values }

  /// All that was heard, as soon as it is at least `count` values.
  ///
  /// Fewer when no more can come, because the source has gone or the recording was stopped, and when the task is cancelled:
  /// so a test fails then and does not hang.
  public func values(atLeast count: Int) async -> [Payload] { await recorder.values(atLeast: count) }

  /// Hears no more. What was heard stays.
  public func stop() { subscription.cancel() }

  /// Held by the handler alone, so it goes when the handler can be called no more.
  private final class End: Sendable {
    let recorder: Recorder<Payload>
    init(_ recorder: Recorder<Payload>) { self.recorder = recorder }
    deinit { recorder.end() }
  }
}

extension EventSource {
  /// Records what this source tells, on the threads that tell it.
  public func record(file: StaticString = #fileID, line: UInt = #line) -> Recording<Payload> {
    Recording { observe($0, file: file, line: line) }
  }

  /// Records on a delivery target, as a handler there would hear it.
  ///
  /// ```swift
  /// let queue = ManualQueue()
  /// let recording = traded.record(on: .manual(queue))
  /// ```
  public func record(
    on target: DeliveryTarget, file: StaticString = #fileID, line: UInt = #line
  ) -> Recording<Payload> {
    Recording { observe(on: target, $0, file: file, line: line) }
  }

  /// Records on an actor, as a handler there would hear it; `MainActor.shared` is one. The actor is held weakly.
  public func record<Owner: Actor>(
    on actor: Owner, file: StaticString = #fileID, line: UInt = #line
  ) -> Recording<Payload> {
    Recording { hear in observe(with: actor, { _, value in hear(value) }, file: file, line: line) }
  }
}
