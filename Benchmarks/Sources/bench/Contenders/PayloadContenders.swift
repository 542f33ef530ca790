import OpenCombine
import Tidings

/// Something that tells a payload of any size. The loop stands in each one's own code, as in `Contender`.
protocol PayloadContender {
  associatedtype Told: Payload
  associatedtype Token
  static var name: String { get }
  init()
  func subscribe(_ tally: Tally) -> Token
  func emit(_ payload: Told, _ count: Int)
}

final class ClosureArrayOf<Told: Payload>: PayloadContender {
  static var name: String { ClosureArray.name }
  private var handlers: [(Told) -> Void] = []

  func subscribe(_ tally: Tally) { handlers.append { tally.add($0.word) } }
  func emit(_ payload: Told, _ count: Int) {
    for _ in 0..<count { emit(payload) }
  }

  @inline(never)
  private func emit(_ payload: Told) {
    for handler in handlers { handler(payload) }
  }
}

struct SerialOf<Told: Payload>: PayloadContender {
  static var name: String { Serial.name }
  private let event = Event<Told>()

  func subscribe(_ tally: Tally) -> Tidings.Subscription { event.observe { tally.add($0.word) } }
  func emit(_ payload: Told, _ count: Int) {
    for _ in 0..<count { event.emit(payload) }
  }
}

struct LocalOf<Told: Payload>: PayloadContender {
  static var name: String { Local.name }
  private let event = LocalEvent<Told>()

  func subscribe(_ tally: Tally) -> LocalSubscription { event.observe { tally.add($0.word) } }
  func emit(_ payload: Told, _ count: Int) {
    for _ in 0..<count { event.emit(payload) }
  }
}

struct OpenCombineOf<Told: Payload>: PayloadContender {
  static var name: String { OpenCombinePeer.name }
  private let subject = PassthroughSubject<Told, Never>()

  func subscribe(_ tally: Tally) -> AnyCancellable { subject.sink { tally.add($0.word) } }
  func emit(_ payload: Told, _ count: Int) {
    for _ in 0..<count { subject.send(payload) }
  }
}
