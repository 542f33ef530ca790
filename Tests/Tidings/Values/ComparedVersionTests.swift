import Testing
import TidingsTesting

@testable import Tidings

/// A plain value of two words is stored where it is overwritten in place.
private struct Pair: Equatable, Sendable {
  var (left, right): (Int, Int)
  init(_ number: Int) { (left, right) = (number, number) }
  static let compared = Recorder<[Int]>()
  static func == (one: Pair, other: Pair) -> Bool {
    compared([one.left, one.right, other.left, other.right])
    return one.left == other.left
  }
}

@Suite("21. What a computation compares its result with", .serialized)
struct ComparedVersionTests {
  /// Two threads compute one value at one moment. The second publishes first, and then again for a later moment.
  @Test("is not overwritten while the computation runs")
  func overwrittenMeanwhile() {
    let source = Observed(0)
    let (isSlow, isInside) = (Locked<UInt>(0), Gate())
    let proceed = Gate()
    let pair = Derived { () -> Pair in
      let number = source.value
      if isSlow.current == Threads.current {
        isInside.open()
        proceed.wait()
      }
      return Pair(number)
    }
    #expect(pair.value.left == 0)
    source.set(1)
    let (ended, seen) = (Gate(), Recorder<Int>())
    Threads.start {
      isSlow.current = Threads.current
      seen(pair.value.left)
      ended.open()
    }
    isInside.wait()
    #expect(pair.value.left == 1)
    for number in 2...12 {
      source.set(number)
      #expect(pair.value.left == number)
    }
    let count = Pair.compared.values.count
    proceed.open()
    ended.wait()
    #expect(seen.values == [1])
    #expect(Array(Pair.compared.values.dropFirst(count)) == [[0, 0, 1, 1]])
    #expect(pair.value.left == 12)
  }
}
