import Testing

@testable import Tidings

/// The memory that a stream's buffers take, which no stream shows.
@Suite("RawBuffer")
struct RawBufferTests {
  @Test("the memory depends on how many values wait, not on how many have passed")
  func capacity() {
    for waiting in [1, 3, 100] {
      var (batch, addresses) = (RawBuffer(), Set<UnsafeMutableRawPointer?>())
      for value in 0..<waiting { batch.push(value) }
      for value in waiting..<waiting + 2 {
        batch.push(value)
        #expect(batch.pop() == value - waiting)
      }
      for value in waiting + 2..<10_000 {
        batch.push(value)
        #expect(batch.pop() == value - waiting)
        addresses.insert(batch.base)
      }
      #expect(addresses.count <= 2, "\(waiting) wait")
      batch.destroy(Int.self)
    }
  }

  @Test("a burst's memory is given back when its last value was taken, and a few values' memory is kept")
  func burst() {
    for (size, isKept) in [(1 << 10, true), (1 << 14, false)] {
      var (batch, other) = (RawBuffer(), RawBuffer())
      for _ in 0..<2 {
        for value in 0..<size { batch.push(value) }
        for _ in 0..<size { other.take(firstOf: &batch, as: Int.self) }
        #expect(batch.isEmpty)
        #expect((batch.base != nil) == isKept)
        for value in 0..<size { #expect(other.pop() == value) }
        other.rewind()
        #expect((other.base != nil) == isKept)
      }
      batch.destroy(Int.self)
      other.destroy(Int.self)
    }
  }
}
