/// The buffer of one consumer of a stream. An object, which the consumer holds: to find it among thousands under the lock took
/// time that grew with the square of their number.
final class ConsumerBuffer: @unchecked Sendable {  // what changes is under the lock of the hub
  typealias Reference = Unmanaged<ConsumerBuffer>
  @exclusivity(unchecked) var values = RawBuffer()
  /// The numbers of the first values in the buffer. Those after them are consecutive, up to the last that has come: all of them,
  /// unless new values are dropped, or values were revoked.
  @exclusivity(unchecked) var numbers = RawBuffer()
  /// The upstream numbers of the last values in the buffer. Those before them came through no relay.
  @exclusivity(unchecked) var origins = RawBuffer()
  /// Its index among the consumers.
  @exclusivity(unchecked) var place = 0

  /// The number of the first value, of those that have come.
  func firstNumber<P>(of pushed: Int, as _: P.Type) -> Int {
    numbers.isEmpty ? pushed &- values.count(of: P.self) : numbers.first(as: Int.self)
  }
  /// Takes the first value out, and what is known of it.
  func takeFirst<P>(into batch: inout RawBuffer, as _: P.Type) {
    batch.take(firstOf: &values, as: P.self)
    if !numbers.isEmpty {
      _ = numbers.pop(as: Int.self)
      if numbers.isEmpty { numbers.rewind() }
    }
    if origins.isEmpty || origins.count(of: UInt32.self) <= values.count(of: P.self) { return }
    _ = origins.pop(as: UInt32.self)
    if origins.isEmpty { origins.rewind() }
  }
  /// Takes out the values that came through an upstream subscription, of those that have come.
  func takeAll<P>(from origin: UpstreamNumber, of pushed: Int, as _: P.Type) -> RawBuffer {
    var (taken, kept, numbers, origins) = (RawBuffer(), RawBuffer(), RawBuffer(), RawBuffer())
    while !values.isEmpty {
      let own =
        self.origins.count(of: UInt32.self) == values.count(of: P.self) ? self.origins.first(as: UInt32.self) : 0
      let number = firstNumber(of: pushed, as: P.self)
      if own == origin.bits {
        takeFirst(into: &taken, as: P.self)
      } else {
        takeFirst(into: &kept, as: P.self)
        if own != 0 { origins.push(own) }
        numbers.push(number)
      }
    }
    for emptied in [self.origins.takeAll(), self.numbers.takeAll(), values.takeAll()] { emptied.destroy(Int.self) }
    (values, self.numbers, self.origins) = (kept, numbers, origins)
    return taken
  }
}

/// The state of a stream. Not generic for the reason that `RawRingBuffer` gives.
struct StreamState {
  /// Each is held by its consumer, until it leaves; the first one by the hub. Without a retain for each value.
  /// bench: a stream's element, −7 % instructions
  var consumers: [ConsumerBuffer.Reference]
  /// Consumers that found no value. A value is for each of them, so all are resumed.
  var sleepers: [UnsafeContinuation<Void, Never>] = []
  /// How many values have come.
  var pushed = 0
  /// Each waits until the consumers have taken the values before the given number.
  var drains: [(turn: Int, counter: CompletionCounter)] = []
  /// The handler is paused; for a value that is computed when a consumer asks.
  var isPaused = false
  /// The source, a value that is computed when a consumer asks, may have changed since it was last taken.
  var isLagging = false
  /// The version that was taken last.
  var takenVersion: UInt = 0
  /// The source was deinitialized, or the stream was cancelled.
  var hasEnded = false

  /// Those that have waited long enough, to be left outside the lock.
  @inline(never)
  mutating func takeDrains<P>(_: P.Type) -> [CompletionCounter] {
    var oldest = pushed
    for consumer in consumers {
      consumer._withUnsafeGuaranteedRef { consumer in
        if !consumer.values.isEmpty { oldest = min(oldest, consumer.firstNumber(of: pushed, as: P.self)) }
      }
    }
    var over: [CompletionCounter] = []
    for drain in drains where drain.turn <= oldest { over.appendUnspecialized(drain.counter) }
    drains.removeAll { $0.turn <= oldest }
    return over
  }
  mutating func takeSleepers() -> [UnsafeContinuation<Void, Never>]? {
    if sleepers.isEmpty { return nil }
    defer { sleepers = [] }
    return sleepers
  }
}

extension StreamState {
  /// Takes out what waits.
  mutating func dropAll<P>(_: P.Type) -> [RawBuffer] {
    var batches: [RawBuffer] = []
    for consumer in consumers {
      consumer._withUnsafeGuaranteedRef { consumer in
        if consumer.values.base == nil { return }
        batches.appendUnspecialized(consumer.values.takeAll())
        consumer.numbers.takeAll().destroy(Int.self)
        consumer.origins.takeAll().destroy(UInt32.self)
      }
    }
    return batches
  }
}
