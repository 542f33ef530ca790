import Synchronization

/// The object that a payload or a handler carries. None is left when everything is over.
final class Ballast: Sendable {
  /// By what carries it, for the message.
  enum Carrier: String, CaseIterable { case payload, stamp, setPayload, handler, derivation, hookHandler, computation }
  private static let living = Mutex<[Carrier: Int]>([:])
  private static let count = Atomic<Int>(0)
  static var alive: Int { count.load(ordering: .acquiring) }
  /// The number alive by carrier.
  static var description: String {
    let living = living.withLock { $0 }.filter { $0.value > 0 }
    return living.map { "\($0.value) of \($0.key.rawValue)" }.sorted().joined(separator: ", ")
  }
  /// A destroyed one is no longer intact.
  private let mark = Atomic<Int>(0x5EED)
  private let bytes: [UInt8]
  private let carrier: Carrier

  init(_ carrier: Carrier, bytes: Int = 16) {
    self.carrier = carrier
    self.bytes = Array(repeating: 7, count: bytes)
    Self.count.wrappingAdd(1, ordering: .relaxed)
    Self.living.withLock { $0[carrier, default: 0] += 1 }
  }
  deinit {
    mark.store(0, ordering: .relaxed)
    Self.living.withLock { $0[carrier, default: 0] -= 1 }
    Self.count.wrappingSubtract(1, ordering: .releasing)
  }
  var isIntact: Bool { mark.load(ordering: .relaxed) == 0x5EED && bytes.last == 7 }
}

/// A numbered value of an emitter.
struct Payload: Sendable, Equatable {
  let emitter: Int
  let number: Int
  let sent: UInt64
  let ballast: Ballast

  init(_ emitter: Int, _ number: Int, _ carrier: Ballast.Carrier = .payload) {
    (self.emitter, self.number) = (emitter, number)
    ballast = Ballast(carrier, bytes: 16 + number & 127)
    sent = now()
  }
  static func == (left: Payload, right: Payload) -> Bool {
    left.emitter == right.emitter && left.number == right.number
  }
}

/// The payloads that one receiver was given: in order for each emitter, and none twice.
///
/// Unless gaps are allowed, no payload is missing between the first and the last.
final class Reception: Sendable {
  private struct State {
    var first: [Int: Int] = [:]
    var next: [Int: Int] = [:]
    var count = 0
    var isClosed = false
    var latencies = Histogram()
  }
  let kind: DeliveryKind
  private let allowsGaps: Bool
  private let state = Mutex(State())

  init(_ kind: DeliveryKind, allowsGaps: Bool = false) { (self.kind, self.allowsGaps) = (kind, allowsGaps) }

  func receive(_ payload: Payload) {
    let latency = now() - payload.sent
    check(payload.ballast.isIntact, "a destroyed payload was delivered: \(kind.rawValue)")
    state.withLock { state in
      let (emitter, number) = (payload.emitter, payload.number)
      check(!state.isClosed, "a handler was called after its end: \(kind.rawValue)")
      if let next = state.next[emitter] {
        check(number >= next, "\(number) of emitter \(emitter) came after \(next - 1): \(kind.rawValue)")
        check(
          allowsGaps || number == next, "\(number) of emitter \(emitter) came where \(next) was next: \(kind.rawValue)")
      } else {
        state.first[emitter] = number
      }
      state.next[emitter] = number + 1
      state.count += 1
      state.latencies.add(latency)
    }
  }

  /// From here on a call is a violation.
  func close() { state.withLock { $0.isClosed = true } }
  var count: Int { state.withLock { $0.count } }
  /// The number that follows the last received payload of each emitter.
  var next: [Int: Int] { state.withLock { $0.next } }
  /// The numbers of an emitter's payloads, from the first received one to the last.
  func range(of emitter: Int) -> Range<Int> { state.withLock { ($0.first[emitter] ?? 0)..<($0.next[emitter] ?? 0) } }
  func report(to statistics: Statistics) { statistics.add(kind, state.withLock { $0.latencies }) }
}
