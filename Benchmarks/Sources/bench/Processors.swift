import Foundation
import Harness

/// Detects whether two threads have a processor each. For seconds at a time, the two processors of a virtual machine are two
/// hardware threads of one core. Arithmetic on registers then takes 1.4 to 2 times as long on both as on one, and so does all other
/// work. Scaling can be measured only while there are two processors.
enum Processors {
  /// How long a run may wait for two processors, in seconds, and how long one sample may. Afterwards it takes what it is given, and
  /// says so.
  static nonisolated(unsafe) var patience = 0.0  // set and read by the main thread alone
  private static let ofOneSample = 60.0
  private static nonisolated(unsafe) var (repeated, kept) = (0, 0)
  private static let work = 1_000_000
  private static let alone = (0..<20).map { _ in
    let stopwatch = Stopwatch(.wall)
    arithmetic(Tally(), work)
    return stopwatch.nanoseconds
  }.min()!

  /// A sample before which and after which arithmetic on two threads takes no longer than on one, but for a twentieth.
  static func apart(_ sample: () -> Double) -> Double {
    let stopwatch = Stopwatch(.wall)
    defer { patience -= stopwatch.nanoseconds / 1e9 }
    while stopwatch.nanoseconds / 1e9 < min(patience, ofOneSample) {
      if areApart {
        let time = sample()
        if areApart { return time }
      } else {
        usleep(10_000)
      }
      repeated += 1
    }
    kept += 1
    return sample()
  }
  private static var areApart: Bool {
    Threads.both(
      {
        let sum = Tally()
        return { arithmetic(sum, $0) }
      }, work) < alone * 1.05
  }

  /// Computes eight chains that do not wait for each other, as many as a wide processor of one thread keeps busy. Work that uses
  /// less of the processor would not notice that the core is shared. A read of a value, with six instructions a cycle, would.
  @inline(never)
  private static func arithmetic(_ sum: Tally, _ count: Int) {
    var (first, second, third, fourth) = (1, 2, 3, 4)
    var (fifth, sixth, seventh, eighth) = (5, 6, 7, 8)
    for number in 0..<count {
      first = (first << 1) ^ number
      second = (second &- number) ^ 0x55
      third = (third >> 1) &+ number
      fourth = ~fourth &+ number
      fifth = (fifth ^ number) &+ 3
      sixth = (sixth &+ number) ^ (sixth &>> 7)
      seventh = (seventh | 1) &- number
      eighth = (eighth &+ eighth) ^ number
    }
    sum.add(first &+ second &+ third &+ fourth &+ fifth &+ sixth &+ seventh &+ eighth)
  }

  /// Nil when every sample was of two processors at the first attempt.
  static var report: String? {
    if repeated == 0 { return nil }
    return "Two threads had one processor: \(repeated) more attempts at a sample, \(kept) samples kept nevertheless."
  }
}
