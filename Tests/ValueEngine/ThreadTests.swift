import Foundation
import Synchronization
import Testing

@testable import ValueEngine

extension ValueEngineTests {
  @Suite struct ParkingLockTests {
    @Test func regionsOfTwoThreadsDoNotOverlap() async {
      let region = Region()
      await together(4) { _ in
        for round in 0..<5_000 {
          let held = HeldLock(region.lock)
          let count = region.count
          if round & 15 == 0 { sched_yield() }
          region.count = count + 1
          held.release()
        }
      }
      #expect(region.count == 20_000)
    }
    @Test func aThreadThatParksContinuesWhenTheLockIsReleased() async {
      let region = Region()
      let step = Steps()
      await together(2) { index in
        if index == 0 {
          let held = HeldLock(region.lock)
          step.make()
          step.wait(for: 2)
          // The other thread spins a hundred times, so it parks in this time or comes late; both are right.
          for _ in 0..<2_000 { sched_yield() }
          held.release()
        } else {
          step.wait(for: 1)
          step.make()
          let held = HeldLock(region.lock)
          held.release()
        }
      }
      #expect(!ParkingLock.isTaken(region.lock))
    }
    private final class Region: @unchecked Sendable {
      let lock = ParkingLockPointer.allocate(capacity: 1)
      var count = 0
      init() { lock.initialize(to: ParkingLock()) }
      deinit { lock.deallocate() }
    }
  }
}

// These tests advance the clock that all values share, so one runs after the other.
extension ValueEngineTests {
  @Suite struct PinTests {
    private static func advanceClock() -> UInt { clockWord.pointee.add(1, ordering: .sequentiallyConsistent).newValue }

    @Test func aRetainedVersionIsDestroyedWhenTheLastPinThatSeesItEnds() async {
      let (step, destroyed, findings) = (Steps(), Counter(), Findings())
      let epochs = Epochs()
      await together(3) { index in
        let thread = Context.current.thread
        if index > 0 {
          thread.pin()
          epochs.note(thread.pointee.snapshot)
          step.make()
          step.wait(for: index == 1 ? 3 : 5)
          thread.unpin()
          step.make()
        } else {
          step.wait(for: 2)
          let stamp = ValueEngineTests.PinTests.advanceClock()
          let version = RetainedVersion(
            from: epochs.least, until: stamp, Unmanaged.passRetained(destroyed).toOpaque()
          ) { Unmanaged<Counter>.fromOpaque($0).takeRetainedValue().add() }
          findings.check(
            ThreadRecord.isPinned(from: epochs.least, until: stamp, but: thread.pointee.record),
            "both pins see the version")
          findings.check(thread.leaveToPin(version), "the version is left to a pin")
          step.make()
          step.wait(for: 4)
          findings.check(destroyed.value == 0, "the second pin still sees it")
          step.make()
          step.wait(for: 6)
          findings.check(destroyed.value == 1, "it is destroyed once")
          // Other suites of this process pin as well, at later epochs.
          findings.check(
            !ThreadRecord.isPinned(from: epochs.least, until: stamp, but: thread.pointee.record),
            "no pin sees it any more")
        }
      }
      #expect(findings.all == [])
    }
    @Test func aPinThatBeginsLaterSeesNoOlderVersion() async {
      let (stamp, findings) = (ValueEngineTests.PinTests.advanceClock(), Findings())
      await together(2) { index in
        let thread = Context.current.thread
        thread.pin()
        findings.check(thread.pointee.snapshot >= stamp, "the snapshot is the newest")
        thread.unpin()
      }
      #expect(findings.all == [])
    }
    @Test func eachRetainedVersionIsDestroyedOnceByManyPins() async {
      let (made, destroyed) = (Counter(), Counter())
      await together(4) { index in
        let thread = Context.current.thread
        for round in 0..<3_000 {
          if index < 3 {
            thread.pin()
            if round & 7 == 0 { sched_yield() }
            thread.unpin()
          } else {
            let from = clockWord.pointee.load(ordering: .acquiring)
            let stamp = ValueEngineTests.PinTests.advanceClock()
            let version = RetainedVersion(
              from: from, until: stamp, Unmanaged.passRetained(destroyed).toOpaque()
            ) { Unmanaged<Counter>.fromOpaque($0).takeRetainedValue().add() }
            if thread.leaveToPin(version) { made.add() } else { Unmanaged.passUnretained(destroyed).release() }
          }
        }
      }
      #expect(made.value == destroyed.value)
    }
    private final class Epochs: @unchecked Sendable {
      private let lock = NSLock()
      private var all: [UInt] = []
      func note(_ epoch: UInt) { lock.withLock { all.append(epoch) } }
      var least: UInt { lock.withLock { all.min()! } }
    }
  }
}

extension ValueEngineTests {
  @Suite struct ReclaimerTests {
    /// Retires an object that adds to a counter when it is reclaimed.
    private static func retire(_ reclaimed: Counter, _ thread: ThreadPointer) {
      Reclaimer.retire(Unmanaged.passRetained(reclaimed).toOpaque(), thread) {
        Unmanaged<Counter>.fromOpaque($0).takeRetainedValue().add()
      }
    }
    @Test func whatIsRetiredDuringAPinIsReclaimedAfterIt() async {
      let (step, reclaimed, findings) = (Steps(), Counter(), Findings())
      await together(2) { index in
        let thread = Context.current.thread
        if index == 0 {
          thread.pin()
          step.make()
          step.wait(for: 2)
          thread.unpin()
          step.make()
        } else {
          step.wait(for: 1)
          for _ in 0..<Reclaimer.batch * 3 { ValueEngineTests.ReclaimerTests.retire(reclaimed, thread) }
          findings.check(reclaimed.value == 0, "reclaimed during the pin")
          step.make()
          step.wait(for: 3)
          // Pins of other suites may be running now and then.
          collect(until: { reclaimed.value >= Reclaimer.batch * 3 })
        }
      }
      #expect(reclaimed.value == Reclaimer.batch * 3 && findings.all == [])
    }
    @Test func whatIsRetiredDuringAWriteSectionIsReclaimedAfterIt() async {
      let (step, reclaimed, findings) = (Steps(), Counter(), Findings())
      await together(2) { index in
        let thread = Context.current.thread
        if index == 0 {
          WriteSection.begin(thread.pointee.nextCommitWord(), thread)
          fullFence()
          step.make()
          step.wait(for: 2)
          WriteSection.end(thread)
          step.make()
        } else {
          step.wait(for: 1)
          for _ in 0..<Reclaimer.batch * 3 { ValueEngineTests.ReclaimerTests.retire(reclaimed, thread) }
          findings.check(reclaimed.value == 0, "reclaimed during the section")
          step.make()
          step.wait(for: 3)
          collect(until: { reclaimed.value >= Reclaimer.batch * 3 })
        }
      }
      #expect(reclaimed.value == Reclaimer.batch * 3 && findings.all == [])
    }
    @Test func aThreadThatEndsLeavesWhatItHasRetiredToOthers() async {
      let (reclaimed, step) = (Counter(), Steps())
      await together(2) { index in
        let thread = Context.current.thread
        if index == 0 {
          thread.pin()
          step.make()
          step.wait(for: 2)
          thread.unpin()
        } else {
          step.wait(for: 1)
          for _ in 0..<10 { ValueEngineTests.ReclaimerTests.retire(reclaimed, thread) }
          step.make()
        }
      }
      await together(1) { _ in
        collect(until: { reclaimed.value >= 10 })
      }
      #expect(reclaimed.value == 10)
    }
    @Test func numbersOfThreadsAreUsedAgain() async {
      let before = threadsWord.pointee.load(ordering: .acquiring)
      for _ in 0..<50 { await together(1) { _ in _ = Context.current } }
      // Other suites have threads as well.
      #expect(threadsWord.pointee.load(ordering: .acquiring) < before + 50)
    }
  }
}
