import Foundation
import Synchronization
import Testing
import TidingsTesting

@testable import Tidings

/// Each in a process of its own: what a thread of another test has announced keeps older versions, too.
@Suite("15. Older versions that are kept for threads which compute in another graph")
struct KeptCopiesTests {
  @Test("A thread that computes at a later snapshot than the one that it announced keeps no older version")
  func announcedSnapshot() async {
    await #expect(processExitsWith: .success) {
      let canaries = Canaries()
      let (source, other) = (Observed(canaries.make()), Observed(0))
      let reading = Derived { withExtendedLifetime(source.value) { 0 } }
      let twice = Derived { other.value * 2 }
      _ = (reading.value, twice.value)
      other.set(1)

      // A thread does this before it takes a graph's lock: see `Announcement.prepare`.
      Context.current.pointee.announcement.pointee.snapshot.store(VersionClock.now, ordering: .sequentiallyConsistent)
      replaceWhilePinned(source, reading) { canaries.make() }
      #expect(canaries.alive == 2, "kept for the announced snapshot")

      #expect(twice.value == 2)
      #expect(canaries.alive == 1)
    }
  }

  @Test("A source that is released while copies of several are kept leaves the others to the end of the computation")
  func releasedSource() async {
    await #expect(processExitsWith: .success) {
      let (canaries, other) = (Canaries(), Observed(0))
      let first = Observed(canaries.make())
      let second = Locked<Observed<Canary>?>(Observed(canaries.make()))
      let reading = Derived { withExtendedLifetime(first.value) { 0 } }
      let twice = Derived { other.value * 2 }
      _ = (reading.value, twice.value)
      other.set(1)
      Context.current.pointee.announcement.pointee.snapshot.store(VersionClock.now, ordering: .sequentiallyConsistent)
      replaceWhilePinned(first, reading) { canaries.make() }
      _ = Threads.elsewhere { second.current!.set(canaries.make()) }
      #expect(canaries.alive == 4, "two of each")
      second.current = nil
      #expect(canaries.alive == 2)

      #expect(twice.value == 2)
      #expect(canaries.alive == 1)
    }
  }

  #if arch(x86_64)  // elsewhere a thread announces nothing before it takes the lock
  @Test("A thread that sets a value with handlers keeps no older version for what it announced before")
  func commitWithNotifications() async {
    await #expect(processExitsWith: .success) {
      let (canaries, announcement, isSet) = (Canaries(), Locked<AnnouncementPointer?>(nil), Gate())
      let (source, other) = (Observed(canaries.make()), Observed(0))
      let reading = Derived { withExtendedLifetime(source.value) { 0 } }
      let twice = Derived { other.value * 2 }
      let tokens = [other.observe { _ in }, twice.observe { _ in }]
      _ = reading.value

      // While this thread has the lock, the other one has announced a snapshot and waits for it.
      let graph = Graph.takePlaced(of: other.cell.node)
      Threads.start {
        announcement.current = Context.current.pointee.announcement
        other.set(1)
        isSet.open()
      }
      while announcement.current.map({ $0.pointee.snapshot.load(ordering: .acquiring) == 0 }) ?? true { sched_yield() }
      replaceWhilePinned(source, reading) { canaries.make() }
      #expect(canaries.alive == 2, "kept for the announced snapshot")
      Graph.unlock(graph)

      #expect(isSet.wait())
      #expect(canaries.alive == 1)
      withExtendedLifetime(tokens) {}
    }
  }
  #endif
}

/// Sets a source while a thread is pinned in its graph, so that the version clock advances.
private func replaceWhilePinned<Value>(
  _ source: Observed<Value>, _ reading: Derived<Int>, with new: @escaping @Sendable () -> Value
) {
  _ = Threads.elsewhere {
    _ =
      Derived {
        let before = reading.value
        _ = Threads.elsewhere { source.set(new()) }
        return before
      }.value
  }
}
