import Tidings
import TidingsCollections

/// Decodes bytes into edits of an array and a dictionary, beside plain ones, and stops where they or their followers differ.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCollections(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var machine = CollectionMachine(ByteReader(UnsafeRawBufferPointer(start: start, count: count)))
  machine.run()
  return 0
}

/// As in the tests, for the fuzzer's one thread.
///
/// Unchecked: everything runs on the fuzzer's one thread.
final class Locked<Value>: @unchecked Sendable {
  var current: Value
  init(_ value: Value) { current = value }
  func withLock<R>(_ body: (inout Value) -> R) -> R { body(&current) }
}

struct CollectionMachine {
  private struct Stop: Error {}
  private var bytes: ByteReader
  private let list = ObservedArray<Int>()
  private let prices = ObservedDictionary<Int, Int>()
  private var plain: [Int] = []
  private var plainPrices: [Int: Int] = [:]
  private var keptEditor: (ArrayEditor<Int>, [Int])?
  private var keptPrices: (DictionaryEditor<Int, Int>, [Int: Int])?
  private let followers: ArrayFollowers
  private let priceFollowers: DictionaryFollowers

  init(_ bytes: ByteReader) {
    self.bytes = bytes
    (followers, priceFollowers) = (ArrayFollowers(list), DictionaryFollowers(prices))
  }

  mutating func run() {
    while !bytes.isEmpty {
      switch bytes.number(below: 8) {
      case 0: replace()
      case 1: transact(throwing: false)
      case 2: transact(throwing: true)
      case 3, 4: editPrices()
      default: editList()
      }
      expect(list.value == plain, "the array is \(list.value), not \(plain)")
      expect(prices.value == plainPrices, "the dictionary is \(prices.value), not \(plainPrices)")
      if let disagreement = followers.disagreement { expect(false, disagreement) }
      if let disagreement = priceFollowers.disagreement { expect(false, disagreement) }
    }
  }

  /// Several edits in one transaction, read in between. If it throws, nothing has happened.
  private mutating func transact(throwing isThrown: Bool) {
    let before = (plain, plainPrices)
    var machine = self
    try? transaction { () throws(Stop) in
      for _ in 0..<2 {
        machine.editList()
        machine.editPrices()
        expect(machine.followers.valueDisagreement == nil, "a value in a transaction")
      }
      if isThrown { throw Stop() }
    }
    (bytes, plain, plainPrices) = (machine.bytes, machine.plain, machine.plainPrices)
    (keptEditor, keptPrices) = (machine.keptEditor, machine.keptPrices)
    if isThrown { (plain, plainPrices) = before }
  }

  private mutating func replace() {
    let elements = (0..<bytes.number(below: 12)).map { _ in bytes.number(below: 8) }
    plain = elements
    bytes.isOne(in: 3) ? list.set(elements) : list.set(elements, diffing: { $0 / 2 })
  }

  private mutating func editList() {
    let isKeeping = bytes.isOne(in: 8)
    let calls = (0..<(1 + bytes.number(below: 3))).map { _ in
      (member: Int(bytes.byte()), arguments: (0..<8).map { _ in Int(bytes.byte()) })
    }
    let kept = bytes.isOne(in: 8) ? keptEditor : nil
    if let kept { plain = kept.1 }
    var results: [[Int]] = []
    for call in calls { results.append(Self.call(call.member, call.arguments, on: &plain)) }
    let editor = list.edit { list in
      if let kept { list = kept.0 }
      var found: [[Int]] = []
      for call in calls { found.append(Self.call(call.member, call.arguments, on: &list)) }
      expect(found == results, "members \(calls.map(\.member)) return \(found), not \(results)")
      if list.count > 60 { list.removeLast(list.count - 10) }
      return list
    }
    if plain.count > 60 { plain.removeLast(plain.count - 10) }
    if isKeeping { keptEditor = (editor, plain) }
  }
  private static func call<C>(_ member: Int, _ arguments: [Int], on c: inout C) -> [Int]
  where
    C: MutableCollection & RangeReplaceableCollection & RandomAccessCollection, C.Element == Int, C.Index == Int,
    C.SubSequence: MutableCollection & RangeReplaceableCollection
  {
    var next = 0
    let numbers = CollectionMembers<C>.Numbers(c.count) { limit in
      defer { next += 1 }
      return next < arguments.count ? arguments[next] % limit : 0
    }
    return CollectionMembers<C>.call(member, on: &c, numbers)
  }

  private mutating func editPrices() {
    let isKeeping = bytes.isOne(in: 8)
    let (kind, key, value) = (bytes.number(below: 8), bytes.number(below: 10), bytes.number(below: 50))
    let kept = keptPrices
    switch kind {
    case 0, 1: plainPrices[key] = value
    case 2: plainPrices[key] = nil
    case 3: plainPrices[key, default: 0] += value
    case 4: plainPrices.removeValue(forKey: key)
    case 5: plainPrices = plainPrices.filter { ($0.key + $0.value) % 2 != value % 2 }
    case 6: plainPrices = [:]
    default: if let kept { plainPrices = kept.1 }
    }
    plainPrices[9 - key] = value
    let editor = prices.edit { prices in
      switch kind {
      case 0, 1: prices[key] = value
      case 2: prices[key] = nil
      case 3: prices[key, default: 0] += value
      case 4: prices.removeValue(forKey: key)
      case 5: prices.removeAll { ($0 + $1) % 2 == value % 2 }
      case 6: prices.removeAll()
      default: if let kept { prices = kept.0 }
      }
      prices[9 - key] = value
      return prices
    }
    if isKeeping { keptPrices = (editor, plainPrices) }
  }
}
