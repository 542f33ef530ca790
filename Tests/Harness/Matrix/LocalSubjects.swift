import Tidings

/// The operations that the subscription of any source has.
protocol Token: Sendable {
  func cancel()
  func pause()
  func resume()
  var isActive: Bool { get }
}
extension Subscription: Token {}

/// Something that stays on the main thread, on which all cells run.
final class OnMain<Value>: Sendable {
  @MainActor private var value: Value?
  @MainActor init(_ value: Value) { self.value = value }

  func callAsFunction<R: Sendable>(_ body: @MainActor (Value) -> R) -> R? {
    MainActor.assumeIsolated { value.map(body) }
  }
  func drop() { MainActor.assumeIsolated { value = nil } }
}
extension OnMain: Token where Value == LocalSubscription {
  func cancel() { self { $0.cancel() } }
  func pause() { self { $0.pause() } }
  func resume() { self { $0.resume() } }
  var isActive: Bool { self { $0.isActive } ?? false }
}

extension SourceKind {
  func makeLocal() -> Subject {
    MainActor.assumeIsolated {
      if self == .localObserved || self == .localObservedInitial {
        let box = OnMain(LocalObserved(0, label: "source"))
        let sendsInitial = sendsInitial
        return Subject(
          attach: { kind, receiver in
            box { kind.attach(to: $0, receiver, sendingInitial: sendsInitial) }
          }, emit: { value, _ in box { $0.set(value) } }, drop: { box.drop() })
      }
      let box = OnMain(LocalEvent<Int>("source", policy: self == .localSerial ? .serial : .immediate))
      return Subject(
        attach: { kind, receiver in box { kind.attach(to: $0, receiver) } },
        emit: { value, _ in box { $0.emit(value) } },
        cancelAll: { box { $0.cancelAll() } }, finish: { box { $0.finish() } }, drop: { box.drop() })
    }
  }
}

extension HandlerKind {
  /// Whether a source of one isolation has this form of handler.
  func applies(toLocal source: SourceKind) -> Bool {
    switch source {
    case .localSerial, .localImmediate: [.plain, .owner, .throwing, .once].contains(self)
    case .localObserved: [.plain, .owner].contains(self)
    case .localObservedInitial: self == .plain
    default: [.plain, .owner, .throwing].contains(self)
    }
  }

  @MainActor
  fileprivate func attach(to event: LocalEvent<Int>, _ receiver: Receiver) -> Attached {
    let owner = Owner()
    let token =
      switch self {
      case .owner: event.observe(with: owner) { receiver.receive($1) }
      case .throwing:
        event.observe(
          onError: { _ in },
          { (value) throws(Oops) in
            receiver.receive(value)
            throw Oops()
          })
      case .once: event.once { receiver.receive($0) }
      default: event.observe { receiver.receive($0) }
      }
    return Attached(token: OnMain(token), owner: hasOwner ? owner : nil)
  }
  @MainActor
  fileprivate func attach(
    to value: LocalObserved<Int>, _ receiver: Receiver, sendingInitial: Bool
  ) -> Attached {
    let owner = Owner()
    let token =
      if hasOwner {
        value.observe(with: owner) { receiver.receive($1.new) }
      } else if sendingInitial {
        value.observe(.initial) { receiver.receive($0.new) }
      } else {
        value.observe { receiver.receive($0.new) }
      }
    return Attached(token: OnMain(token), owner: hasOwner ? owner : nil)
  }
}
