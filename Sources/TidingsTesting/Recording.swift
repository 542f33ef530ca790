public import Tidings

/// The values that a source delivers from now on, in order.
///
/// ```swift
/// let recording = traded.record()
/// traded.emit(Trade("MSFT", price: 39.81))
/// #expect(recording.values.map(\.symbol) == ["MSFT"])
/// ```
///
/// Values that are delivered on another thread are waited for, without sleeping:
///
/// ```swift
/// let trades = await recording.values(atLeast: 3)
/// ```
///
/// It receives from its creation until it is stopped or deinitialized, and does not retain the source. Of an `Observed` or
/// `Derived` it records the changes.
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

  /// All values so far.
  public var values: [Payload] { recorder.values }

  /// Waits until at least `count` values have been recorded.
  ///
  /// - Parameter count: The number to wait for.
  /// - Returns: All values so far. Fewer than `count` when no more can come, because the source was deinitialized or the
  ///   recording was stopped, and when the task is cancelled: then a test fails instead of hanging.
  public func values(atLeast count: Int) async -> [Payload] { await recorder.values(atLeast: count) }

  /// Stops recording. The recorded values are kept.
  public func stop() { subscription.cancel() }

  /// Retained by the handler alone, so it is deinitialized when the handler cannot be called any more.
  private final class End: Sendable {
    let recorder: Recorder<Payload>
    init(_ recorder: Recorder<Payload>) { self.recorder = recorder }
    deinit { recorder.end() }
  }
}

extension EventSource {
  /// Records what this source delivers, on the delivering threads.
  ///
  /// - Parameters:
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The recording, which stops when it is deinitialized.
  public func record(file: StaticString = #fileID, line: UInt = #line) -> Recording<Payload> {
    Recording { observe($0, file: file, line: line) }
  }

  /// Records on a delivery target, like a handler there.
  ///
  /// ```swift
  /// let queue = ManualQueue()
  /// let recording = traded.record(on: .manual(queue))
  /// ```
  ///
  /// - Parameters:
  ///   - target: Where the values are received.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The recording, which stops when it is deinitialized.
  public func record(
    on target: DeliveryTarget, file: StaticString = #fileID, line: UInt = #line
  ) -> Recording<Payload> {
    Recording { observe(on: target, $0, file: file, line: line) }
  }

  /// Records on an actor, like a handler there; `MainActor.shared` is one.
  ///
  /// - Parameters:
  ///   - actor: Where the values are received; held weakly.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The recording, which stops when it is deinitialized.
  public func record<Owner: Actor>(
    on actor: Owner, file: StaticString = #fileID, line: UInt = #line
  ) -> Recording<Payload> {
    Recording { receive in observe(with: actor, { _, value in receive(value) }, file: file, line: line) }
  }
}
