import Tidings

extension Subject {
  static func hook() -> Subject {
    let box = Box(Hook<Int, Int, Oops>("source"))
    return Subject(
      attach: { kind, receiver in box.value.map { kind.attach(to: $0, receiver) } },
      emit: { value, isolation in
        guard let hook = box.value else { return }
        Task.immediate {
          _ = isolation
          _ = try? await hook.all(value)
        }
      }, emitAndWait: { _ = try? await box.value?.all($0, isolation: nil) }, cancelAll: { box.value?.cancelAll() },
      drop: { box.value = nil })
  }
  static func localHook() -> Subject {
    MainActor.assumeIsolated {
      let box = OnMain(LocalHook<Int, Int, Oops>("source"))
      return Subject(
        attach: { kind, receiver in box { kind.attach(to: $0, receiver) } },
        emit: { value, _ in box { _ = try? $0.all(value) } }, cancelAll: { box { $0.cancelAll() } },
        drop: { box.drop() })
    }
  }
}

extension HandlerKind {
  /// Whether a hook has this form of handler.
  var appliesToHook: Bool {
    switch self {
    case .plain, .owner, .throwing, .onGlobalActor, .onOwnerActor: true
    case .async, .asyncOwner, .asyncOnActor, .asyncOnOwner: true
    case .suspended, .suspendedOnActor, .suspendedOwner: true
    default: false
    }
  }

  fileprivate func attach(to hook: Hook<Int, Int, Oops>, _ receiver: Receiver) -> Attached {
    let (isSuspended, owner, actor) = (isSuspended, Owner(), VirtualActor())
    switch self {
    case .owner:
      let token = hook.handle(with: owner) { (_, value) throws(Oops) in receiver.answer(value) }
      return Attached(token: token, owner: owner)
    case .throwing:
      return Attached(
        token: hook.handle { (value) throws(Oops) in
          receiver.receive(value)
          throw Oops()
        })
    case .onGlobalActor:
      return Attached(token: hook.handle { @HandlerActor (value) throws(Oops) in receiver.answer(value) })
    case .onOwnerActor:
      let token = hook.handle(with: actor) { (_, value) throws(Oops) in receiver.answer(value) }
      return Attached(token: token, owner: actor)
    case .async, .suspended:
      return Attached(
        token: hook.handle { (value) async throws(Oops) in
          await receiver.answer(value, isSuspended: isSuspended, isolation: nil)
        })
    case .asyncOwner, .suspendedOwner:
      let token = hook.handle(with: owner) { (_, value) async throws(Oops) in
        await receiver.answer(value, isSuspended: isSuspended, isolation: nil)
      }
      return Attached(token: token, owner: owner)
    case .asyncOnActor, .suspendedOnActor:
      return Attached(
        token: hook.handle { @HandlerActor (value) async throws(Oops) in
          await receiver.answer(value, isSuspended: isSuspended, isolation: HandlerActor.shared)
        })
    case .asyncOnOwner:
      let token = hook.handle(with: actor) { (actor, value) async throws(Oops) in
        await receiver.answer(value, isSuspended: isSuspended, isolation: actor)
      }
      return Attached(token: token, owner: actor)
    default: return Attached(token: hook.handle { (value) throws(Oops) in receiver.answer(value) })
    }
  }

  @MainActor
  fileprivate func attach(to hook: LocalHook<Int, Int, Oops>, _ receiver: Receiver) -> Attached {
    let owner = Owner()
    let token =
      switch self {
      case .owner: hook.handle(with: owner) { (_, value) throws(Oops) in receiver.answer(value) }
      case .throwing:
        hook.handle { (value) throws(Oops) in
          receiver.receive(value)
          throw Oops()
        }
      default: hook.handle { (value) throws(Oops) in receiver.answer(value) }
      }
    return Attached(token: OnMain(token), owner: hasOwner ? owner : nil)
  }
}

extension Receiver {
  fileprivate func answer(_ question: Int) -> Int {
    receive(question)
    return question
  }
  fileprivate func answer(_ question: Int, isSuspended: Bool, isolation: isolated (any Actor)?) async -> Int {
    await receive(question, isSuspended: isSuspended, isolation: isolation)
    return question
  }
}
