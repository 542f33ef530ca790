import Tidings

/// A stream's buffer, as its policy says.
final class ModelStream {
  let limit: Int
  let keepsNewest: Bool
  var buffer: [Int] = []
  var dropped = 0
  var hasEnded = false
  let stream: EventStream<Int>
  let iterator: Outcome<EventStream<Int>.Iterator>
  /// A `next()` under way.
  var task: Task<Void, Never>?
  var waiting: Outcome<Int>?
  /// The value that `next()` must return, once it is known.
  var expected: Int??

  init(_ stream: EventStream<Int>, limit: Int, keepsNewest: Bool) {
    (self.stream, self.limit, self.keepsNewest) = (stream, limit, keepsNewest)
    iterator = Outcome()
    iterator.value = stream.makeAsyncIterator()
  }

  func push(_ value: Int) {
    if buffer.count < limit { return buffer.append(value) }
    dropped += 1
    guard keepsNewest else { return }
    buffer.removeFirst()
    buffer.append(value)
  }

  func cancel() { task?.cancel() }
}

extension Machine {
  func operateOnStreams() {
    let streams = handlers.filter { $0.stream != nil }
    if streams.isEmpty || bytes.isOne(in: 4) { return makeStream() }
    let handler = streams[bytes.number(below: streams.count)]
    guard let stream = handler.stream else { return }
    switch bytes.number(below: 4) {
    case 0, 1: if stream.waiting == nil { next(stream) }
    case 2:
      // The stream is abandoned, with what waits in it.
      stream.cancel()
      pool.drain()
      end(handler)
      handlers.removeAll { $0 === handler }
    default:
      guard stream.waiting != nil, stream.expected == nil else { return }
      stream.cancel()
      stream.expected = .some(nil)
    }
  }

  private func makeStream() {
    let event = events[bytes.number(below: events.count)]
    guard !event.isFinished, handlers.filter({ $0.stream != nil }).count < 20 else { return }
    let limit = 1 + bytes.number(below: 4)
    let handler = ModelHandler(event, .stream)
    switch bytes.number(below: 3) {
    case 0: handler.stream = ModelStream(event.event.stream(), limit: .max, keepsNewest: false)
    case 1:
      handler.stream = ModelStream(event.event.stream(buffering: .newest(limit)), limit: limit, keepsNewest: true)
    default:
      handler.stream = ModelStream(event.event.stream(buffering: .oldest(limit)), limit: limit, keepsNewest: false)
    }
    handlers.append(handler)
  }

  private func next(_ stream: ModelStream) {
    let waiting = Outcome<Int>()
    stream.waiting = waiting
    if !stream.buffer.isEmpty {
      stream.expected = .some(stream.buffer.removeFirst())
    } else if stream.hasEnded {
      stream.expected = .some(nil)
    }
    let iterator = stream.iterator
    stream.task = Task(executorPreference: pool) {
      waiting.value = await iterator.value?.next(isolation: nil)
      waiting.isDone = true
    }
  }

  func checkStreams() {
    for handler in handlers {
      guard let stream = handler.stream else { continue }
      expect(stream.stream.droppedCount == stream.dropped, "a stream dropped \(stream.stream.droppedCount) values")
      guard let waiting = stream.waiting else { continue }
      // A consumer that was woken takes from the buffer when it runs.
      if stream.expected == nil, !stream.buffer.isEmpty { stream.expected = .some(stream.buffer.removeFirst()) }
      if stream.hasEnded, stream.expected == nil { stream.expected = .some(nil) }
      expect(waiting.isDone == (stream.expected != nil), "a consumer waits, or does not wait")
      guard let expected = stream.expected else { continue }
      expect(
        waiting.value == expected,
        "a consumer receives \(String(describing: waiting.value)), not \(String(describing: expected))")
      (stream.waiting, stream.expected, stream.task) = (nil, nil, nil)
    }
  }
}
