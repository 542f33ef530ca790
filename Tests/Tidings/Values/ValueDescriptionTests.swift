import Foundation
import Testing
import Tidings
import TidingsTesting

@Suite("Descriptions and coding of values")
struct ValueDescriptionTests {
  @Test("A description says what the value is, its label, its value and how many subscribe")
  func descriptions() {
    let (price, quantity) = (Observed(101.5, label: "price"), Observed(2))
    let total = Derived("total") { Double(quantity.value) * price.value }
    let local = LocalObserved("Ada", label: "name")
    #expect("\(price)" == "Observed 'price': 101.5, 0 subscriptions")
    #expect("\(quantity)" == "Observed: 2, 0 subscriptions")
    #expect("\(price.readOnly)" == "ReadOnly Observed 'price': 101.5, 0 subscriptions")
    #expect("\(total)" == "Derived 'total': not computed, 0 subscriptions")
    #expect("\(local)" == "LocalObserved 'name': Ada, 0 subscriptions")
    let tokens = [price.observe { _ in }, price.observe { _ in }, total.observe { _ in }]
    let localToken = local.observe { _ in }
    #expect("\(price)" == "Observed 'price': 101.5, 2 subscriptions")
    #expect("\(total)" == "Derived 'total': 203.0, 1 subscription")
    #expect("\(local)" == "LocalObserved 'name': Ada, 1 subscription")
    withExtendedLifetime((tokens, localToken)) {}
  }

  @Test("A description computes nothing, and says when the value is stale")
  func computesNothing() {
    let (source, computed) = (Observed(1), Locked(0))
    let double = Derived {
      computed.withLock { $0 += 1 }
      return source.value * 2
    }
    _ = String(describing: double) + String(reflecting: double)
    dump(double, to: &ignored)
    #expect(computed.current == 0)
    _ = double.value
    source.set(5)
    #expect("\(double)" == "Derived: 2 (stale), 0 subscriptions" && computed.current == 1)
    #expect(double.value == 10 && "\(double)" == "Derived: 10, 0 subscriptions")
  }
  private var ignored: String {
    get { "" }
    nonmutating set {}
  }

  @Test("A description is no read of the closure that makes it")
  func isNoRead() {
    let (source, other, computed) = (Observed(1), Observed(1), Locked(0))
    let derived = Derived { other.value }
    let text = Derived {
      computed.withLock { $0 += 1 }
      return "\(source) \(derived)"
    }
    let first = text.value
    source.set(2)
    other.set(2)
    #expect(text.value == first && computed.current == 1)
  }

  @Test("A mirror has the label, the value and the number of subscriptions")
  func mirrors() {
    let price = Observed(101.5, label: "price")
    let mirror = Mirror(reflecting: price)
    #expect(mirror.children.map(\.label) == ["label", "value", "isStale", "subscriptions"])
    #expect(mirror.descendant("value") as? Double == 101.5 && mirror.descendant("subscriptions") as? Int == 0)
    let derived = Mirror(reflecting: price.map { $0 + 1 })
    #expect(derived.descendant("value") as? Double == nil, "never computed")
  }

  private struct Settings: Codable {
    var volume = Observed(0.5)
    var names = Observed(["Ada"], label: "names")
    var limit = Observed<Int?>(nil)
  }

  @Test("An Observed is coded as its value, and decoded as a new value")
  func coding() throws {
    let settings = Settings()
    settings.volume.set(0.75)
    let data = try JSONEncoder().encode(settings)
    let plain = try JSONDecoder().decode([String: Plain].self, from: data)
    #expect(plain == ["volume": .number(0.75), "names": .strings(["Ada"]), "limit": .none])
    let copy = try JSONDecoder().decode(Settings.self, from: data)
    #expect(copy.volume.value == 0.75 && copy.names.value == ["Ada"] && copy.limit.value == nil)
    copy.volume.set(1)
    #expect(settings.volume.value == 0.75)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Settings.self, from: Data("{\"volume\": []}".utf8)) }
  }
  private enum Plain: Decodable, Equatable {
    case number(Double)
    case strings([String])
    case none
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .none
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .strings(try container.decode([String].self))
      }
    }
  }
}
