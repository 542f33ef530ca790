import OpenCombine
import Tidings

/// Something that delivers a payload of any size. The loop is in each one's own code, as in `Contender`.
protocol PayloadContender {
  associatedtype Notified: Payload
  associatedtype Token
  static var name: String { get }
  init()
  func subscribe(_ tally: Tally) -> Token
  func emit(_ payload: Notified, _ count: Int)
}

final class ClosureArrayOf<Notified: Payload>: PayloadContender {
  static var name: String { ClosureArray.name }
  private var handlers: [(Notified) -> Void] = []

  func subscribe(_ tally: Tally) { handlers.append { tally.add($0.word) } }
  func emit(_ payload: Notified, _ count: Int) {
    for _ in 0..<count { emit(payload) }
  }

  @inline(never)
  private func emit(_ payload: Notified) {
    for handler in handlers { handler(payload) }
  }
}

struct SerialOf<Notified: Payload>: PayloadContender {
  static var name: String { Serial.name }
  private let event = Event<Notified>()

  func subscribe(_ tally: Tally) -> Tidings.Subscription { event.observe { tally.add($0.word) } }
  func emit(_ payload: Notified, _ count: Int) {
    for _ in 0..<count { event.emit(payload) }
  }
}

struct LocalOf<Notified: Payload>: PayloadContender {
  static var name: String { Local.name }
  private let event = LocalEvent<Notified>()

  func subscribe(_ tally: Tally) -> LocalSubscription { event.observe { tally.add($0.word) } }
  func emit(_ payload: Notified, _ count: Int) {
    for _ in 0..<count { event.emit(payload) }
  }
}

struct OpenCombineOf<Notified: Payload>: PayloadContender {
  static var name: String { OpenCombinePeer.name }
  private let subject = PassthroughSubject<Notified, Never>()

  func subscribe(_ tally: Tally) -> AnyCancellable { subject.sink { tally.add($0.word) } }
  func emit(_ payload: Notified, _ count: Int) {
    for _ in 0..<count { subject.send(payload) }
  }
}
