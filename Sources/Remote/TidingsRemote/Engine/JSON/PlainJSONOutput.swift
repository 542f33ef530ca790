import Foundation

/// The output of a payload while it is encoded: the bytes and the containers that are open.
final class PlainJSONOutput {
  /// An object or array that is not closed. Its number distinguishes it from one that was open at the same depth before.
  struct Place {
    let depth: Int
    let number: Int
  }
  private struct Open {
    let number: Int
    let end: UInt8
    var keys: Set64 = Set64()
    var isEmpty = true
    /// The index of its first key in the list of keys.
    let firstKey: Int
  }
  private struct State {
    var bytes: [UInt8] = []
    var hasGivenUp = false
    var open: [Open] = []
    var keys: [String] = []
    var next = 0
  }
  /// Through a pointer, because each of the many short accesses to a variable of a class would be checked for overlapping ones.
  /// There is none: the object is used by one thread, and no function that is passed a part of the state calls another's code.
  private let state: UnsafeMutablePointer<State>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
    state.pointee.bytes.reserveCapacity(256)
  }
  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }
  var count: Int { state.pointee.bytes.count }
  var hasGivenUp: Bool { state.pointee.hasGivenUp }

  /// Returns the bytes that were written, and resets the output, which keeps its memory.
  func finish() -> Data {
    defer {
      state.pointee.bytes.removeAll(keepingCapacity: count <= 65_536)
      state.pointee.open.removeAll(keepingCapacity: true)
      state.pointee.keys.removeAll(keepingCapacity: true)
      state.pointee.hasGivenUp = false
    }
    return state.pointee.bytes.withUnsafeBytes { Data(bytes: $0.baseAddress!, count: $0.count) }
  }

  @discardableResult
  func giveUp() -> PlainJSON.Unknown {
    state.pointee.hasGivenUp = true
    return PlainJSON.Unknown()
  }

  // MARK: Containers
  /// A value, and nothing but one value.
  func writeValue<Value: Encodable>(_ value: Value) throws {
    if PlainJSON.isSpecial(Value.self) { throw giveUp() }
    let (start, depth) = (count, state.pointee.open.count)
    guard depth < PlainJSON.depth else { throw giveUp() }
    try value.encode(to: PlainJSONEncoder(output: self, start: start))
    if count == start || state.pointee.open.count < depth { throw giveUp() }
    close(to: depth)
  }

  /// Begins an object or array where a value is expected.
  func begin(_ bracket: UInt8) -> Place {
    state.pointee.bytes.append(bracket)
    state.pointee.next += 1
    // The closing brackets follow the opening ones by two.
    state.pointee.open.append(Open(number: state.pointee.next, end: bracket + 2, firstKey: state.pointee.keys.count))
    return Place(depth: state.pointee.open.count - 1, number: state.pointee.next)
  }
  private func close(to depth: Int) {
    while state.pointee.open.count > depth {
      let closed = state.pointee.open.removeLast()
      state.pointee.bytes.append(closed.end)
      if state.pointee.keys.count > closed.firstKey { state.pointee.keys.removeSubrange(closed.firstKey...) }
    }
  }
  /// Makes the container take the next element; those that were begun in it are closed.
  private func enter(_ place: Place) throws {
    guard place.depth < state.pointee.open.count, state.pointee.open[place.depth].number == place.number else {
      throw giveUp()
    }
    if state.pointee.open.count > place.depth + 1 { close(to: place.depth + 1) }
    if state.pointee.open[place.depth].isEmpty {
      state.pointee.open[place.depth].isEmpty = false
    } else {
      state.pointee.bytes.append(UInt8(ascii: ","))
    }
  }

  func element(_ place: Place) throws { try enter(place) }
  func key(_ key: String, _ place: Place) throws {
    try enter(place)
    // Foundation writes a key that is encoded twice once.
    if !state.pointee.open[place.depth].keys.insert(Set64.place(of: key)),
      state.pointee.keys[state.pointee.open[place.depth].firstKey...].contains(key)
    {
      throw giveUp()
    }
    state.pointee.keys.append(key)
    write(key)
    state.pointee.bytes.append(UInt8(ascii: ":"))
  }

  // MARK: Values
  func write(_ string: String) {
    var string = string
    state.pointee.bytes.append(UInt8(ascii: "\""))
    string.withUTF8 { text in
      var start = 0
      for place in text.indices {
        let byte = text[place]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
        else { continue }
        state.pointee.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<place]))
        escape(byte)
        start = place + 1
      }
      state.pointee.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }
    state.pointee.bytes.append(UInt8(ascii: "\""))
  }
  private func escape(_ byte: UInt8) {
    state.pointee.bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: state.pointee.bytes.append(UInt8(ascii: "b"))
    case 0x09: state.pointee.bytes.append(UInt8(ascii: "t"))
    case 0x0A: state.pointee.bytes.append(UInt8(ascii: "n"))
    case 0x0C: state.pointee.bytes.append(UInt8(ascii: "f"))
    case 0x0D: state.pointee.bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      let digits = Array("0123456789abcdef".utf8)
      state.pointee.bytes += [
        UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"), digits[Int(byte >> 4)], digits[Int(byte & 15)],
      ]
    default: state.pointee.bytes.append(byte)
    }
  }
  func write(_ value: Bool) { append(value ? "true" : "false") }
  func writeNil() { append("null") }
  private func append(_ word: StaticString) {
    word.withUTF8Buffer { state.pointee.bytes.append(contentsOf: $0) }
  }
  @inline(__always)
  func write(_ value: some FixedWidthInteger) {
    guard let magnitude = UInt64(exactly: value.magnitude) else {
      _ = giveUp()
      return
    }
    write(value < 0, magnitude)
  }
  private func write(_ isNegative: Bool, _ magnitude: UInt64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 21) { digits in
      var (place, rest) = (21, magnitude)
      repeat {
        place -= 1
        digits[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if isNegative {
        place -= 1
        digits[place] = UInt8(ascii: "-")
      }
      state.pointee.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place...]))
    }
  }
  /// As Swift describes it, whole numbers without a fraction; those that are no numbers are Foundation's to reject.
  @inline(__always)
  func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws {
    guard value.isFinite else { throw giveUp() }
    writeNumber(value.description)
  }
  private func writeNumber(_ text: String) {
    var text = text
    text.withUTF8 { text in
      let isWhole =
        text.count > 2 && text[text.count - 1] == UInt8(ascii: "0") && text[text.count - 2] == UInt8(ascii: ".")
      state.pointee.bytes.append(contentsOf: isWhole ? UnsafeBufferPointer(rebasing: text.dropLast(2)) : text)
    }
  }
}

/// A set of numbers below 64: distinguishes most keys without comparing them.
struct Set64 {
  private var bits: UInt64 = 0
  /// False if the number was in the set.
  mutating func insert(_ number: Int) -> Bool {
    let bit = UInt64(1) << UInt64(number & 63)
    defer { bits |= bit }
    return bits & bit == 0
  }
  static func place(of key: String) -> Int {
    let utf8 = key.utf8
    return place(utf8.count, utf8.first ?? 0, utf8.last ?? 0)
  }
  static func place(_ count: Int, _ first: UInt8, _ last: UInt8) -> Int { count &* 7 &+ Int(first) &* 3 &+ Int(last) }
}
