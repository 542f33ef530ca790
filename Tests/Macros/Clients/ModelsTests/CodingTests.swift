import Foundation
import Testing
import TidingsMacros
import TidingsTesting

@Suite("Codable models")
@MainActor struct CodingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("A model is coded under the names of its properties, an optional that is nil being left out")
  func names() throws {
    let order = Order(id: 7, limit: 90)
    order.quantity = 3
    order.fill(2)
    #expect(try json(order) == #"{"fills":[2],"id":7,"limit":90,"quantity":3}"#)
    order.note = "urgent"
    let text = try json(order)
    let copy = try JSONDecoder().decode(Order.self, from: Data(text.utf8))
    #expect(try json(copy) == text)
  }

  @Test("A decoded model is observed as any other, with its labels and what counts as a change")
  func decoded() throws {
    let text = #"{"fills":[],"id":7,"limit":90,"quantity":3}"#
    let (order, received) = (try JSONDecoder().decode(Order.self, from: Data(text.utf8)), Recorder<Double>())
    let token = order.$limit.observe { change in received(change.new) }
    order.limit = 90
    order.limit = 80
    #expect(received.values == [80])
    #expect(order.$limit.diagnostics.label == "Order.limit")
    token.cancel()
  }

  @Test("A key that is missing throws, as with the compiler's own conformance")
  func missing() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Order.self, from: Data(#"{"fills":[],"id":7,"quantity":3}"#.utf8))
    }
  }

  @Test("Coding keys that are written by hand rename, and leave out what they do not name")
  func keys() throws {
    let user = User()
    user.$secret.set("x")
    #expect(try json(user) == #"{"n":"Ada"}"#)
    #expect(try JSONDecoder().decode(User.self, from: Data(#"{"n":"Grace"}"#.utf8)).name == "Grace")
  }

  @Test("A subclass of a coded model is coded by the code that it writes")
  func subclass() throws {
    let letter = Letter()
    letter.title = "Offer"
    letter.recipient = "Ada"
    let text = try json(letter)
    #expect(text == #"{"recipient":"Ada","title":"Offer"}"#)
    let copy = try JSONDecoder().decode(Letter.self, from: Data(text.utf8))
    #expect((copy.title, copy.recipient) == ("Offer", "Ada"))
  }

  @Test("All encoded values are of one moment")
  func oneMoment() async throws {
    let pair = CodedPair()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...1_000 {
          transaction {
            pair.$one.set(number)
            pair.$other.set(number)
          }
        }
      }
      group.addTask {
        for _ in 0..<100 {
          let copy = try JSONDecoder().decode(CodedPair.self, from: try JSONEncoder().encode(pair))
          #expect(copy.one == copy.other)
        }
      }
      try await group.waitForAll()
    }
  }
}

@ObservedProperties @MainActor private final class Order: Codable {
  var quantity = 1
  @ObservedAs(.distinct) var limit: Double
  var note: String?
  private(set) var fills: [Int] = []
  @Unobserved var cache: [String: Int] = [:]
  let id: Int

  init(id: Int, limit: Double) {
    self.id = id
    self.limit = limit
  }
  func fill(_ count: Int) { fills.append(count) }
}

@ObservedProperties private final class User: Codable, Sendable {
  var name = "Ada"
  var secret = ""
  init() {}
  private enum CodingKeys: String, CodingKey { case name = "n" }
}

@ObservedProperties @MainActor private class Sheet: Codable {
  var title = ""
  init() {}
}

@ObservedProperties @MainActor private final class Letter: Sheet {
  var recipient = ""
  override init() { super.init() }

  private enum LetterKeys: CodingKey { case recipient }
  nonisolated override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: LetterKeys.self)
    try container.encode($recipient.value, forKey: .recipient)
  }
  nonisolated required init(from decoder: any Decoder) throws {
    try super.init(from: decoder)
    $recipient.set(try decoder.container(keyedBy: LetterKeys.self).decode(String.self, forKey: .recipient))
  }
}

@ObservedProperties private final class CodedPair: Codable, Sendable {
  var one = 0
  var other = 0
  init() {}
}
