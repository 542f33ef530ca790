import Testing
import Tidings
import TidingsTesting

/// A stream ends in several ways, in any order, while its consumer sleeps, works or has not begun.
@Suite("The ends of streams", .timeLimit(.minutes(30)))
struct StreamEndsTests {
  enum Termination: CaseIterable, Sendable { case event, token, all, task, stream }
  enum Consumer: CaseIterable, Sendable { case none, sleeping, holdingABatch }

  @Test(
    "however a stream ends, and in any order of the causes, nothing is kept and no task waits for ever",
    arguments: Termination.allCases
  )
  func combinations(_ first: Termination) async {
    for second in Termination.allCases {
      for third in Termination.allCases {
        for consumer in Consumer.allCases {
          for policy in [BufferingPolicy.unbounded, .newest(2), .oldest(2)] {
            await end(by: [first, second, third, .event, .stream, .task], consumer, policy)
          }
        }
      }
    }
  }

  private func end(by terminations: [Termination], _ consumer: Consumer, _ policy: BufferingPolicy) async {
    let canaries = Canaries()
    var event: Event<Canary>? = Event()
    weak let source = event
    var stream: EventStream<Canary>? = event!.filter { _ in true }.stream(buffering: policy)
    var reader: Reader<Canary>? = consumer == .sleeping ? Reader() : nil
    if let reader { await reader.follow(stream!) }
    var iterator = consumer == .holdingABatch ? stream!.makeAsyncIterator() : nil
    for _ in 0..<3 { event!.emit(canaries.make()) }
    _ = await iterator?.next()
    for termination in terminations {
      switch termination {
      case .event: event = nil
      case .token: stream?.subscription.cancel()
      case .all: event?.cancelAll()
      case .task: await reader?.cancel()
      case .stream: stream = nil
      }
      event?.emit(canaries.make())
    }
    await reader?.finish()
    reader = nil
    iterator = nil
    #expect(source == nil, "\(terminations) \(consumer)")
    #expect(canaries.alive == 0, "\(terminations) \(consumer) \(policy)")
  }

  @Test(
    "two threads that end a stream in two ways simultaneously leave nothing, and the consumer wakes",
    arguments: Termination.allCases)
  func simultaneously(_ one: Termination) async {
    for other in [Termination.token, .all, .task] {
      for policy in [BufferingPolicy.unbounded, .newest(2), .oldest(2)] {
        for _ in 0..<20 { await endSimultaneously(one, other, policy) }
      }
    }
  }

  private func endSimultaneously(_ one: Termination, _ other: Termination, _ policy: BufferingPolicy) async {
    let (canaries, reader) = (Canaries(), Reader<Canary>())
    let holder = Locked<Event<Canary>?>(Event())
    let stream = Locked<EventStream<Canary>?>(holder.withLock { $0! }.stream(buffering: policy))
    let token = stream.withLock { $0!.subscription }
    let task = Task { [sequence = stream.withLock { $0! }] in for await _ in sequence {} }
    await reader.follow(stream.withLock { $0! })
    let end: @Sendable (Termination) -> Void = { termination in
      switch termination {
      case .event: _ = holder.withLock { $0.take() }
      case .token: token.cancel()
      case .all: holder.withLock { $0 }?.cancelAll()
      case .task: task.cancel()
      case .stream: _ = stream.withLock { $0.take() }
      }
    }
    await Threads.together(3) { thread in
      switch thread {
      case 0: end(one)
      case 1: end(other)
      default:
        for _ in 0..<5 { holder.withLock { $0 }?.emit(canaries.make()) }
      }
    }
    end(.event)
    await task.value
    await reader.finish()
    end(.stream)
    await reader.forget()
    #expect(await canaries.quiesce())
  }

  @Test("a consumer that is cancelled gets nothing more, though values wait, in its hand or in the buffer")
  func cancelledWithABuffer() async {
    for policy in [BufferingPolicy.unbounded, .newest(8), .oldest(8)] {
      for taken in 0...1 {
        let event = Event<Int>()
        let stream = event.stream(buffering: policy)
        event.emit(contentsOf: 1...3)
        let task = Task { @MainActor in
          var values: [Int] = []
          if taken == 0 { withUnsafeCurrentTask { $0?.cancel() } }
          for await value in stream {
            values.append(value)
            withUnsafeCurrentTask { $0?.cancel() }
          }
          return values
        }
        #expect(await task.value == Array([1].prefix(taken)))
        #expect(stream.subscription.isActive, "another consumer may continue")
        event.emit(4)
        #expect(event.diagnostics.subscriptions[0].queued == 0, "but this one's buffer is released")
      }
    }
  }
}
