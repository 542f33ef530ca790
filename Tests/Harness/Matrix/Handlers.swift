import Tidings
import TidingsTesting

/// The kinds of handler, and of what stands for one.
enum HandlerKind: String, CaseIterable, Sendable {
  case plain, owner, throwing, once, ownerOnce
  case onGlobalActor, onOwnerActor, onceOnActor, onceOnOwnerActor, throwingOnceOnActor, queue, queueOwner, onceOnQueue
  case async, asyncOwner, asyncNewest, asyncOldest, asyncOnce, asyncOwnerOnce, asyncOnActor, asyncOnOwner
  case suspended, suspendedNewest, suspendedOldest, suspendedOnActor, suspendedOwner
  case stream, streamNewest, streamOldest, suspendedStream, suspendedStreamNewest

  enum Place { case inPlace, actor, queue, task, stream }

  var place: Place {
    switch self {
    case .plain, .owner, .throwing, .once, .ownerOnce: .inPlace
    case .onGlobalActor, .onOwnerActor, .onceOnActor, .onceOnOwnerActor, .throwingOnceOnActor: .actor
    case .queue, .queueOwner, .onceOnQueue: .queue
    case .stream, .streamNewest, .streamOldest, .suspendedStream, .suspendedStreamNewest: .stream
    default: .task
    }
  }
  /// Whether a call lasts until the script lets it go on.
  var isSuspended: Bool { rawValue.hasPrefix("suspended") }
  var isOnce: Bool {
    switch self {
    case .once, .ownerOnce, .onceOnActor, .onceOnOwnerActor, .throwingOnceOnActor, .onceOnQueue: true
    case .asyncOnce, .asyncOwnerOnce: true
    default: false
    }
  }
  var hasOwner: Bool {
    switch self {
    case .owner, .ownerOnce, .onOwnerActor, .onceOnOwnerActor, .queueOwner: true
    case .asyncOwner, .asyncOwnerOnce, .asyncOnOwner, .suspendedOwner: true
    default: false
    }
  }
  var isOnActor: Bool {
    place == .actor || [.asyncOnActor, .asyncOnOwner, .suspendedOnActor].contains(self)
  }
  var buffering: BufferingPolicy {
    switch self {
    case .asyncNewest, .suspendedNewest, .streamNewest, .suspendedStreamNewest: .newest(1)
    case .asyncOldest, .suspendedOldest, .streamOldest: .oldest(1)
    default: .unbounded
    }
  }
  /// How many values may wait, and whether the oldest of them makes room.
  var limit: (count: Int, keepsNewest: Bool) {
    switch self {
    case .asyncNewest, .suspendedNewest, .streamNewest, .suspendedStreamNewest: (1, true)
    case .asyncOldest, .suspendedOldest, .streamOldest: (1, false)
    default: (.max, true)
    }
  }
}

final class Owner: Sendable {}
struct Oops: Error {}

/// A handler that has been added, with what keeps it.
struct Attached: Sendable {
  var token: (any Token)?
  var owner: (any AnyObject & Sendable)?
}

extension HandlerKind {
  func attach(to source: some EventSource<Int>, _ receiver: Receiver, _ queue: ManualQueue) -> Attached {
    let (isSuspended, owner) = (isSuspended, Owner())
    switch self {
    case .plain:
      // An event has an `observe` of its own.
      let handler: @Sendable (Int) -> Void = { receiver.receive($0) }
      if let event = source as? Event<Int> { return Attached(token: event.observe(handler)) }
      return Attached(token: source.observe(handler))
    case .owner: return Attached(token: source.observe(with: owner) { receiver.receive($1) }, owner: owner)
    case .throwing:
      return Attached(
        token: source.observe(onError: { _ in }) { (value) throws(Oops) in
          receiver.receive(value)
          throw Oops()
        })
    case .once: return Attached(token: source.once { receiver.receive($0) })
    case .ownerOnce: return Attached(token: source.once(with: owner) { receiver.receive($1) }, owner: owner)
    case .onGlobalActor: return Attached(token: source.observe { @HandlerActor in receiver.receive($0) })
    case .onOwnerActor:
      let actor = VirtualActor()
      return Attached(token: source.observe(with: actor) { receiver.receive($1) }, owner: actor)
    case .onceOnActor: return Attached(token: source.once { @HandlerActor in receiver.receive($0) })
    case .onceOnOwnerActor:
      let actor = VirtualActor()
      return Attached(token: source.once(with: actor) { receiver.receive($1) }, owner: actor)
    case .throwingOnceOnActor:
      return Attached(
        token: source.once(onError: { _ in }) { @HandlerActor (value) throws(Oops) in
          receiver.receive(value)
          throw Oops()
        })
    case .queue: return Attached(token: source.observe(on: .manual(queue)) { receiver.receive($0) })
    case .onceOnQueue: return Attached(token: source.once(on: .manual(queue)) { receiver.receive($0) })
    case .queueOwner:
      return Attached(token: source.observe(on: .manual(queue), with: owner) { receiver.receive($1) }, owner: owner)
    case .async, .asyncNewest, .asyncOldest, .suspended, .suspendedNewest, .suspendedOldest:
      return Attached(
        token: source.observe(buffering: buffering) {
          await receiver.receive($0, isSuspended: isSuspended, isolation: nil)
        })
    case .asyncOwner, .suspendedOwner:
      return Attached(
        token: source.observe(with: owner) {
          await receiver.receive($1, isSuspended: isSuspended, isolation: nil)
        }, owner: owner)
    case .asyncOnce:
      return Attached(token: source.once { await receiver.receive($0, isSuspended: isSuspended, isolation: nil) })
    case .asyncOwnerOnce:
      return Attached(
        token: source.once(with: owner) {
          await receiver.receive($1, isSuspended: isSuspended, isolation: nil)
        }, owner: owner)
    case .asyncOnActor, .suspendedOnActor:
      return Attached(
        token: source.observe { @HandlerActor in
          await receiver.receive($0, isSuspended: isSuspended, isolation: HandlerActor.shared)
        })
    case .asyncOnOwner:
      let actor = VirtualActor()
      return Attached(
        token: source.observe(with: actor) { actor, value in
          await receiver.receive(value, isSuspended: isSuspended, isolation: actor)
        }, owner: actor)
    case .stream, .streamNewest, .streamOldest, .suspendedStream, .suspendedStreamNewest:
      let stream = source.stream(buffering: buffering)
      Task.detached {
        for await value in stream { await receiver.receive(value, isSuspended: isSuspended, isolation: nil) }
        receiver.journal.addEnd(ofLoop: receiver.number)
      }
      return Attached(token: stream.subscription)
    }
  }
}
