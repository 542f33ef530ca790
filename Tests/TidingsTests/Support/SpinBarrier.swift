import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A barrier for a fixed number of threads, for any number of rounds. It spins, so that what the threads do next overlaps.
final class SpinBarrier: Sendable {
  private let count: Int
  private let arrivals = Atomic(0)

  init(of count: Int) { self.count = count }

  func wait() {
    let arrival = arrivals.add(1, ordering: .acquiringAndReleasing).oldValue
    let all = (arrival / count + 1) * count
    while arrivals.load(ordering: .acquiring) < all { sched_yield() }
  }
}
