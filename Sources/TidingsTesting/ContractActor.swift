/// An actor to which a check binds a handler.
///
/// It runs on a thread of its own, so that a check can determine whether a call was made there.
public actor ContractActor {
  private let worker = Worker()

  init() {}

  deinit { worker.end() }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  /// Whether the caller runs on this actor's thread.
  nonisolated var isHere: Bool { worker.isHere }

  func run(_ body: @Sendable (isolated ContractActor) -> Void) { body(self) }
}
