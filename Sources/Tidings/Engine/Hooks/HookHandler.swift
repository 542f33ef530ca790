/// The closure of a hook's handler: an object of its own, so that it can be released while a question still holds the slot.
@usableFromInline
final class HookHandler<Input, Output, Failure: Error>: Sendable {
  @usableFromInline let call: @isolated(any) @Sendable (Input) async throws(Failure) -> Output

  init(_ call: @escaping @isolated(any) @Sendable (Input) async throws(Failure) -> Output) { self.call = call }

  @_alwaysEmitIntoClient @inline(__always)
  static func of(_ answer: Unmanaged<AnyObject>) -> HookHandler {
    unsafeDowncast(answer.takeUnretainedValue(), to: HookHandler.self)
  }

  // For the time of one call, during which its slot keeps it: without the retain and the release that a reference costs, which are
  // atomic, and would be for each question. bench: ask a hook, −17 % time

  /// As if it had been retained. To be given back.
  @_alwaysEmitIntoClient @inline(__always)
  static func borrowed(_ answer: Unmanaged<AnyObject>) -> HookHandler {
    Unmanaged<HookHandler>.fromOpaque(answer.toOpaque()).takeRetainedValue()
  }
  @_alwaysEmitIntoClient @inline(__always)
  func giveBack() { _ = Unmanaged.passRetained(self) }
}

/// The same for a handler with an owner: nil when the owner was deinitialized.
///
/// A method and not a closure, which would leave the caller's actor to determine the handler's.
@usableFromInline
class OwnedHookHandler<Input, Output, Failure: Error>: @unchecked Sendable {  // nothing is stored here
  @usableFromInline
  func call(_ input: Input, _ permit: HookCall.Permit, isolation: isolated (any Actor)?) async throws(Failure)
    -> Output?
  {
    fatalError("abstract")
  }
}

final class ObjectHookHandler<Owner: AnyObject & Sendable, Input: Sendable, Output: Sendable, Failure: Error>:
  OwnedHookHandler<Input, Output, Failure>, @unchecked Sendable  // the weak reference is written once
{
  typealias Call = @isolated(any) @Sendable (Owner, Input) async throws(Failure) -> Output
  private weak var owner: Owner?
  private let handler: Call

  init(_ owner: Owner, _ handler: @escaping Call) {
    self.owner = owner
    self.handler = handler
  }
  override func call(_ input: Input, _ permit: HookCall.Permit, isolation: isolated (any Actor)?) async throws(Failure)
    -> Output?
  {
    guard let owner else { return nil }
    return try await ask(owner, input, permit, isolation: handler.isolation)
  }
  /// On the handler's actor.
  private func ask(
    _ owner: Owner, _ input: Input, _ permit: HookCall.Permit, isolation: isolated (any Actor)?
  ) async throws(Failure) -> Output? {
    permit.isOpen ? try await handler(owner, input) : nil
  }
}

final class ActorHookHandler<Owner: Actor, Input: Sendable, Output: Sendable, Failure: Error>:
  OwnedHookHandler<Input, Output, Failure>, @unchecked Sendable  // the weak reference is written once
{
  typealias Call = @Sendable (isolated Owner, Input) async throws(Failure) -> Output
  private weak var owner: Owner?
  private let handler: Call

  init(_ owner: Owner, _ handler: @escaping Call) {
    self.owner = owner
    self.handler = handler
  }
  override func call(_ input: Input, _ permit: HookCall.Permit, isolation: isolated (any Actor)?) async throws(Failure)
    -> Output?
  {
    guard let owner else { return nil }
    return try await ask(owner, input, permit)
  }
  private func ask(_ owner: isolated Owner, _ input: Input, _ permit: HookCall.Permit) async throws(Failure) -> Output?
  {
    permit.isOpen ? try await handler(owner, input) : nil
  }
}
