import Foundation
import Testing
import TidingsTesting

@testable import TidingsRemote

@Suite("Payloads as JSON", .timeLimit(.minutes(60)))
struct PlainJSONTests {
  @Test("The fast path writes the same JSON as Foundation, and each reads the other's")
  func agrees() throws {
    let seeds = Runs.seeds(Runs.size(400, full: 2_000), of: "plain JSON")
    var fast = 0
    for seed in seeds {
      var random = SplitMix64(seed)
      let order = Order.random(&random)
      let expected = try JSONEncoder().encode(order)
      // Equal as text, but for the order of keys, which Foundation does not fix.
      if let written = PlainJSON.encode(order) {
        fast += 1
        #expect(try canonical(written) == canonical(expected), "TIDINGS_SEED=\(seed)")
        #expect(try JSONDecoder().decode(Order.self, from: written) == order, "TIDINGS_SEED=\(seed)")
      }
      if let read = PlainJSON.decode(Order.self, from: expected) { #expect(read == order, "TIDINGS_SEED=\(seed)") }
      let schema = Schema<Order>.json()
      #expect(try schema.decode(schema.encode(order), name: "Order", version: 1) == order, "TIDINGS_SEED=\(seed)")
    }
    #expect(fast == seeds.count)
  }

  @Test("A text that was damaged is read as Foundation reads it, or not at all")
  func damaged() throws {
    let seeds = Runs.seeds(Runs.size(1_500, full: 5_000), of: "damaged JSON")
    var read = 0
    for seed in seeds {
      var random = SplitMix64(seed)
      var text = [UInt8](try JSONEncoder().encode(Order.random(&random)))
      let signs = Array("{}[]\",:\\/.-+0123456789eEtrufalsn \n\u{1}é".utf8)
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let place = text.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = signs.randomElement(using: &random)!
        case 1: text.insert(signs.randomElement(using: &random)!, at: place)
        default: if text.count > 1 { text.remove(at: place) }
        }
      }
      guard let fast = PlainJSON.decode(Order.self, from: Data(text)) else { continue }
      read += 1
      let shown = "TIDINGS_SEED=\(seed): \(String(decoding: text, as: UTF8.self))"
      let slow = try? JSONDecoder().decode(Order.self, from: Data(text))
      #expect(slow == fast, "\(shown)")
    }
    #expect(read > seeds.count / 100)
  }

  @Test("Numbers are read as Foundation reads them, the last digit included")
  func numbers() throws {
    for seed in Runs.seeds(Runs.size(1_500, full: 5_000), of: "numbers as JSON") {
      var random = SplitMix64(seed)
      let whole = UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<64, using: &random)
      var digits = String(whole)
      if Bool.random(using: &random) {
        let place = digits.index(digits.startIndex, offsetBy: Int.random(in: 1...digits.count, using: &random))
        if place < digits.endIndex { digits.insert(".", at: place) }
      }
      if Int.random(in: 0..<4, using: &random) == 0 { digits += "e\(Int.random(in: -30...30, using: &random))" }
      let text = Data("[\(Bool.random(using: &random) ? "-" : "")\(digits)]".utf8)
      func compare<Value: Decodable & Equatable>(_ type: Value.Type) {
        guard let fast = PlainJSON.decode([Value].self, from: text) else { return }
        #expect((try? JSONDecoder().decode([Value].self, from: text)) == fast, "TIDINGS_SEED=\(seed): \(digits)")
      }
      compare(Double.self)
      compare(Float.self)
      compare(Int.self)
      compare(Int8.self)
      compare(UInt64.self)
      // Zero with an exponent is one of the few texts that Foundation rejects and others read.
      if !digits.contains("e") || whole > 0 { #expect(PlainJSON.decode([Double].self, from: text) != nil) }
    }
  }

  @Test(
    "Types that Foundation treats specially are left to it: data, addresses, decimals, keys encoded twice, super")
  func leaves() throws {
    let special = Special(data: Data([1, 2, 255]), url: URL(string: "https://example.org/a")!, price: 12.34)
    #expect(PlainJSON.encode(special) == nil)
    #expect(PlainJSON.encode([special.data]) == nil)
    #expect(PlainJSON.encode(special.data as Data?) == nil)
    #expect(PlainJSON.encode(Twice()) == nil)
    #expect(PlainJSON.encode(Derived(1, 2)) == nil)
    #expect(PlainJSON.encode(Double.nan) == nil)
    #expect(PlainJSON.encode(Caught(value: .infinity)) == nil)
    #expect(PlainJSON.decode(Special.self, from: try JSONEncoder().encode(special)) == nil)
    let schema = Schema<Special>.json()
    #expect(try schema.decode(schema.encode(special), name: "Special", version: 1) == special)
    #expect(try Schema<Twice>.json().encode(Twice()) == Data(#"{"a":2}"#.utf8))
  }

  @Test("An error of a payload is Foundation's, with its path")
  func throwsErrors() throws {
    let schema = Schema<Order>.json()
    let text = Data(#"{"id":"a","lines":[{"count":"many"}]}"#.utf8)
    #expect { try schema.decode(text, name: "Order", version: 1) } throws: { error in
      guard case DecodingError.typeMismatch(_, let context) = error else { return false }
      return context.codingPath.map(\.stringValue) == ["lines", "Index 0", "count"]
    }
  }

  private func canonical(_ data: Data) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed),
      options: [.sortedKeys, .fragmentsAllowed])
  }
}

private struct Order: Codable, Equatable, Sendable {
  enum Kind: Codable, Equatable {
    case market
    case limit(price: Double, until: Date?)
  }
  struct Line: Codable, Equatable {
    var count: Int
    var sizes: [Int16]
    var weight: Float?
  }
  var id: String
  var lines: [Line]
  var kind: Kind
  var total: Double
  var flags: [String: Bool]
  var number: UInt64?
  var isOpen: Bool

  static func random(_ random: inout SplitMix64) -> Order {
    func text(_ random: inout SplitMix64) -> String {
      let signs: [Character] = [
        "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\t", "\r", "\u{8}", "\u{c}", "\u{1}", "é", "€", "🛒", "{",
      ]
      return String((0..<Int.random(in: 0...12, using: &random)).map { _ in signs.randomElement(using: &random)! })
    }
    let lines = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Line(
        count: .random(in: -1_000_000...1_000_000, using: &random),
        sizes: (0..<Int.random(in: 0...3, using: &random)).map { _ in .random(in: .min ... .max, using: &random) },
        weight: Bool.random(using: &random) ? .random(in: -10...10, using: &random) : nil)
    }
    let price = Double(Int.random(in: -100_000...100_000, using: &random)) / 100
    return Order(
      id: text(&random), lines: lines,
      kind: Bool.random(using: &random)
        ? .market
        : .limit(price: price, until: Bool.random(using: &random) ? Date(timeIntervalSince1970: price) : nil),
      total: Double(bitPattern: .random(in: 0 ... .max, using: &random)).finite ?? price,
      flags: Dictionary(uniqueKeysWithValues: (0..<Int.random(in: 0...3, using: &random)).map { ("k\($0)", $0 == 1) }),
      number: Bool.random(using: &random) ? .random(in: 0 ... .max, using: &random) : nil,
      isOpen: .random(using: &random))
  }
}
extension Double { fileprivate var finite: Double? { isFinite ? self : nil } }

private struct Special: Codable, Equatable {
  var data: Data
  var url: URL
  var price: Decimal
}
private struct Twice: Codable {
  enum CodingKeys: CodingKey { case a }
  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .a)
    try container.encode(2, forKey: .a)
  }
}
private class Base: Codable {
  let base: Int
  init(_ base: Int) { self.base = base }
}
private final class Derived: Base {
  enum CodingKeys: CodingKey { case own }
  let own: Int
  init(_ base: Int, _ own: Int) {
    self.own = own
    super.init(base)
  }
  required init(from decoder: any Decoder) throws {
    own = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .own)
    try super.init(from: decoder)
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(own, forKey: .own)
    try super.encode(to: container.superEncoder())
  }
}
private struct Caught: Encodable {
  let value: Double
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if (try? container.encode(value)) == nil { try container.encode("none") }
  }
}
