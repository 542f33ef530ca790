import Synchronization

/// Whether a call that was taken from a handler's queue may begin: asked on the handler's own executor, as the last step before
/// the call.
///
/// The call of an asynchronous handler is taken by a task of no actor. Until it has come to the handler's actor, code there may
/// have cancelled or paused the subscription, and relies on that.
@usableFromInline
struct CallPermit: Sendable {
  fileprivate let mailbox: AsyncMailbox
  /// How often permits had been revoked when the call was taken.
  fileprivate let revocations: UInt

  /// Whether the call may begin; of a handler that is called once, this is that call.
  @usableFromInline
  func begin() -> Bool { isValid && mailbox.once?.begin() ?? true }
  /// It was not revoked so far.
  @usableFromInline
  var isValid: Bool { mailbox.revocations.load(ordering: .acquiring) == revocations }
}

extension AsyncMailbox {
  /// Under the lock.
  final var permit: CallPermit { CallPermit(mailbox: self, revocations: revocations.load(ordering: .relaxed)) }
}

// The last steps before an asynchronous handler, on its own actor. Emitted into the client that uses them.
extension CallPermit {
  @_alwaysEmitIntoClient
  func call<Payload: Sendable>(
    _ handler: @isolated(any) @Sendable (Payload) async -> Void, _ value: Payload, isolation: isolated (any Actor)?
  ) async {
    if begin() { await handler(value) }
  }
  @_alwaysEmitIntoClient
  func call<Payload: Sendable, Failure: Error>(
    _ handler: @isolated(any) @Sendable (Payload) async throws(Failure) -> Void, _ value: Payload,
    onError: @Sendable (Failure) -> Void, isolation: isolated (any Actor)?
  ) async {
    guard begin() else { return }
    do throws(Failure) { try await handler(value) } catch { onError(error) }
  }
  /// False if the owner was deinitialized. It is asked for here: a call that is on its way to an actor does not retain it.
  @_alwaysEmitIntoClient
  func call<Owner: AnyObject & Sendable, Payload: Sendable, Failure: Error>(
    _ handler: @isolated(any) @Sendable (Owner, Payload) async throws(Failure) -> Void,
    _ owner: @Sendable () -> Owner?, _ value: Payload, onError: (@Sendable (Failure) -> Void)?,
    isolation: isolated (any Actor)?
  ) async -> Bool {
    guard let owner = owner() else { return false }
    guard begin() else { return true }
    do throws(Failure) { try await handler(owner, value) } catch { onError?(error) }
    return true
  }
  @_alwaysEmitIntoClient
  func call<Owner: Actor, Payload: Sendable, Failure: Error>(
    _ handler: @Sendable (isolated Owner, Payload) async throws(Failure) -> Void, _ value: Payload,
    onError: (@Sendable (Failure) -> Void)?, on owner: isolated Owner
  ) async {
    guard begin() else { return }
    do throws(Failure) { try await handler(owner, value) } catch { onError?(error) }
  }
}
