import Synchronization
import Tidings

/// Exhausted memory.
enum Memory {
  /// Values of 64 KB for a stream that keeps all of them and that no consumer reads, until an allocation fails. The process is
  /// stopped by that; until then every handler has received every value.
  static func exhaust(megabytes: Int) {
    let event = Event<[UInt8]>("faults.memory")
    let stream = event.stream()
    let received = Mutex(0)
    let token = event.observe { payload in
      check(payload.count == 65_536 && payload[65_535] == payload[0], "a value is damaged")
      received.withLock { $0 += 1 }
    }
    for number in 0..<megabytes * 16 {
      event.emit(Array(repeating: UInt8(truncatingIfNeeded: number), count: 65_536))
      check(received.withLock { $0 } == number + 1, "a value was not delivered")
    }
    withExtendedLifetime((stream, token)) {}
    print("✔ \(megabytes) MB were waiting in a stream")
  }

  /// The same values through a stream that keeps the newest eight: memory does not grow.
  static func bounded(megabytes: Int) async {
    let event = Event<[UInt8]>("faults.memory")
    let stream = event.stream(buffering: .newest(8))
    let count = megabytes * 16
    for number in 0..<count { event.emit(Array(repeating: UInt8(truncatingIfNeeded: number), count: 65_536)) }
    event.finish()
    var last: [UInt8] = []
    var taken = 0
    for await payload in stream { (last, taken) = (payload, taken + 1) }
    check(taken == 8 && stream.droppedCount == count - 8, "\(taken) values taken, \(stream.droppedCount) dropped")
    check(last.first == UInt8(truncatingIfNeeded: count - 1), "the newest value was dropped")
    print("✔ \(megabytes) MB went through a stream that keeps eight values")
  }
}
