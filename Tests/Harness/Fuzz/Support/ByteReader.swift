/// The fuzzer's bytes, read as decisions. When none is left every decision is the first one.
struct ByteReader {
  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

  var isEmpty: Bool { next >= bytes.count }

  mutating func byte() -> UInt8 {
    guard next < bytes.count else { return 0 }
    defer { next += 1 }
    return bytes[next]
  }

  mutating func number(below limit: Int) -> Int { Int(byte()) % max(limit, 1) }
  mutating func isOne(in count: Int) -> Bool { number(below: count) == count - 1 }

  /// Up to `limit` bytes, as many as the first says.
  mutating func text(upTo limit: Int) -> String {
    let count = number(below: limit + 1)
    return String(decoding: (0..<count).map { _ in byte() }, as: UTF8.self)
  }
}

/// Stops the fuzzer, which keeps the input.
func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
  if !condition { fatalError(problem()) }
}
