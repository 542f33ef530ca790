import Synchronization

/// A barrier for a fixed number of threads, for any number of rounds. It spins, so that what the threads do next overlaps.
package final class SpinBarrier: Sendable {
  private let count: Int
  private let arrivals = Atomic(0)

  package init(of count: Int) { self.count = count }

  package func wait() {
    let arrival = arrivals.add(1, ordering: .acquiringAndReleasing).oldValue
    let all = (arrival / count + 1) * count
    while arrivals.load(ordering: .acquiring) < all { Platform.yieldThread() }
  }
}
