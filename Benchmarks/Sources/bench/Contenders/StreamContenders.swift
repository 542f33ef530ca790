import Tidings

/// A sequence that a producer fills from another thread.
protocol StreamContender: Sendable {
  static var name: String { get }
  init()
  func emit(_ payloads: Range<Int>)
  /// Takes elements until the last payload has come.
  func consume(isolation: isolated (any Actor)?) async -> Int
}

struct TidingsStream: StreamContender {
  static let name = "Event.stream"
  let event = Event<Int>()
  let stream: EventStream<Int>
  init() { stream = event.stream() }

  func emit(_ payloads: Range<Int>) { for payload in payloads { event.emit(payload) } }
  func consume(isolation: isolated (any Actor)?) async -> Int {
    var sum = 0
    for await payload in stream {
      if payload == Watch.last { break }
      sum &+= payload
    }
    return sum
  }
}

struct AsyncStreamPeer: StreamContender {
  static let name = "AsyncStream"
  let stream: AsyncStream<Int>
  let continuation: AsyncStream<Int>.Continuation
  init() { (stream, continuation) = AsyncStream.makeStream(of: Int.self) }

  func emit(_ payloads: Range<Int>) { for payload in payloads { continuation.yield(payload) } }
  func consume(isolation: isolated (any Actor)?) async -> Int {
    var sum = 0
    for await payload in stream {
      if payload == Watch.last { break }
      sum &+= payload
    }
    return sum
  }
}
