import Testing

@testable import Tidings

@Suite("The queue of values")
struct RawRingBufferTests {
  @Test("The memory of a burst is given back when the queue is empty, that of a few values is kept")
  func memoryOfABurst() {
    var ring = RawRingBuffer(of: Int.self)
    func fill(_ count: Int) { for value in 0..<count { ring.push(value, nil, depth: 1, chain: 0, own: false) } }
    func empty() -> [Int] {
      var (values, place) = ([Int](), 0)
      while !ring.isEmpty {
        _ = withUnsafeMutablePointer(to: &place) { ring.pop(into: $0) }
        values.append(place)
      }
      return values
    }
    fill(100_000)
    #expect(ring.capacity >= 100_000)
    #expect(empty() == Array(0..<100_000))
    #expect(ring.capacity == 0)
    fill(100)
    #expect(empty() == Array(0..<100))
    #expect(ring.capacity >= 100)
    #expect(ring.pushed == 100_100 && ring.popped == 100_100)
    ring.takeAll().destroy(Int.self)
  }

  @Test("Values that are aligned more strictly than their notes are as far apart as that requires")
  func alignment() {
    struct Reading: Equatable {
      var vector = SIMD4<Float>()
      var time = 0.0
    }
    var ring = RawRingBuffer(of: Reading.self)
    #expect(MemoryLayout<Reading>.alignment == 16 && ring.stride.isMultiple(of: 16))
    for number in 0..<9 { ring.push(Reading(time: Double(number)), nil, depth: 1, chain: 0, own: false) }
    // Not a variable, which may have no room for the padding.
    let place = UnsafeMutablePointer<Reading>.allocate(capacity: 1)
    defer { place.deallocate() }
    for number in 0..<9 {
      _ = ring.pop(into: place)
      #expect(place.pointee == Reading(time: Double(number)))
    }
    ring.takeAll().destroy(Reading.self)
  }

  @Test("Only values of one chain count against it, and only deep ones")
  func chains() {
    var (ring, cycles) = (RawRingBuffer(of: Int.self), CycleGuard())
    func add(_ count: Int, depth: Int, chain: UInt32) -> CycleGuard.Verdict {
      for value in 0..<count {
        let verdict = cycles.judge(depth, of: chain, limit: 100, in: ring)
        if verdict != .admitted { return verdict }
        cycles.added(depth)
        ring.push(value, nil, depth: depth, chain: chain, own: false)
      }
      return .admitted
    }
    #expect(add(CausalLimits.width * 2, depth: CausalLimits.shallow, chain: 1) == .admitted)
    #expect(add(CausalLimits.width - 1, depth: 17, chain: 2) == .admitted)
    #expect(add(CausalLimits.width - 1, depth: 17, chain: 3) == .admitted)
    #expect(add(CausalLimits.width * 2, depth: 17, chain: 2) == .rejected)
    #expect(add(1, depth: 17, chain: 2) == .rejectedAgain)
    #expect(add(1, depth: 17, chain: 3) == .admitted)
    #expect(add(1, depth: 101, chain: 3) == .rejected)
    #expect(add(1, depth: 16, chain: 2) == .admitted)
    cycles.reset()
    ring.takeAll().destroy(Int.self)
    #expect(add(1, depth: 17, chain: 2) == .admitted)
    ring.takeAll().destroy(Int.self)
  }

  @Test("A hook counts its handlers' calls in words of 32 bits as well", arguments: [32, 64])
  func smallWords(bits: Int) {
    let turn = UInt64(HookSlot.firstTurn(bits: bits))
    #expect(turn.isPowerOf(2) && turn > 1 << 15)
    #expect(turn < UInt64(1) << (bits - 8), "the handler may be paused that often before its turns begin again")
  }
}

extension UInt64 {
  fileprivate func isPowerOf(_ two: Int) -> Bool { nonzeroBitCount == 1 }
}
