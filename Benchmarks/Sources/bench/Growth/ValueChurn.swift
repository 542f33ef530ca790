import Foundation
import Synchronization
import Tidings

/// Values that are set, updated, read, observed and dropped, sixty-four at a time, while another thread is in the middle of a
/// computation that reads some of them. It lasts a thousand operations, so that what is dropped meanwhile has to wait for its pin.
final class ValueChurn {
  static let name = "values beside long computations"
  private static let size = 64

  /// The sources that the computation reads too. They are never replaced.
  private let common = (0..<4).map { Observed($0) }
  private var sources = (0..<size).map { Observed($0) }
  private var sums: [Derived<Int>] = []
  private var tokens: [Subscription] = []
  private var (step, random) = (0, 1 as UInt64)

  init() {
    for place in 0..<Self.size {
      sums.append(sum(at: place))
      tokens.append(sums[place].observe { _ in })
    }
  }

  func turn(_ count: Int) {
    let computation = LongComputation(of: common)
    for number in 0..<count {
      if number % 1_000 == 0 { computation.beginNext() }
      operate()
    }
    computation.end()
  }

  private func operate() {
    step &+= 1
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let place = Int(random >> 40) & (Self.size - 1)
    switch random >> 58 & 7 {
    case 0: sources[place].set(step)
    case 1: common[place & 3].update { $0 &+= 1 }
    case 2: precondition(sums[place].value == expected(at: place), "a sum is not that of its sources")
    case 3: sums[place] = sum(at: place)
    case 4:
      sources[place] = Observed(step)
      for user in [place, before(place)] { sums[user] = sum(at: user) }
    case 5: tokens[place] = sums[place].observe { _ in }
    case 6:
      transaction {
        sources[place].set(step)
        common[place & 3].set(step)
      }
    default:
      transaction {
        for source in common { source.update { $0 &+= 1 } }
      }
    }
  }

  private func before(_ place: Int) -> Int { (place + Self.size - 1) % Self.size }

  /// Derives the sum of two neighboring sources and a common source, so that all values are connected.
  private func sum(at place: Int) -> Derived<Int> {
    let (first, second, third) = (sources[place], sources[(place + 1) % Self.size], common[place & 3])
    return Derived { first.value &+ second.value &+ third.value }
  }

  private func expected(at place: Int) -> Int {
    sources[place].value &+ sources[(place + 1) % Self.size].value &+ common[place & 3].value
  }
}

/// A thread that computes a value again and again, each time for as long as it is not told to begin the next.
private final class LongComputation: Sendable {
  private let (began, proceed, ended) = (
    DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
  )
  private let isOver = Atomic(false)

  init(of sources: [Observed<Int>]) {
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .acquiring) { _ = Derived { self.compute(sources) }.value }
      ended.signal()
    }
    began.wait()
  }

  private func compute(_ sources: [Observed<Int>]) -> Int {
    let before = sources.map(\.value)
    began.signal()
    if !isOver.load(ordering: .acquiring) { proceed.wait() }
    precondition(before == sources.map(\.value), "a computation saw a write")
    return before.reduce(0, &+)
  }

  func beginNext() {
    proceed.signal()
    began.wait()
  }

  func end() {
    isOver.store(true, ordering: .releasing)
    proceed.signal()
    ended.wait()
  }
}
