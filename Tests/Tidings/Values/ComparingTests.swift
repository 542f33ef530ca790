import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite("Derived: what comparing reads")
struct ComparingTests {
  private static let tolerance = Observed(0)
  private static let computations = Tally()

  /// Plain bits, with a comparison that reads a value.
  private struct Near: Equatable, Sendable {
    let number: Int
    static func == (left: Near, right: Near) -> Bool {
      abs(left.number - right.number) <= ComparingTests.tolerance.value
    }
  }
  /// The same around an object.
  private struct NearObject: Equatable, Sendable {
    let near: Near
    let name = String(repeating: "near", count: 8)
  }

  @Test("A value that `==` reads is no dependency, for plain bits and for any other type", arguments: [true, false])
  func whatEqualityReads(isPlain: Bool) {
    let (source, computations) = (Observed(1), Tally())
    let plain = Derived { () -> Near in
      computations.add(1)
      return Near(number: source.value)
    }
    let object = Derived { () -> NearObject in
      computations.add(1)
      return NearObject(near: Near(number: source.value))
    }
    func read() { if isPlain { _ = plain.value } else { _ = object.value } }
    read()
    source.set(5)
    read()
    #expect(computations.total == 2)
    Self.tolerance.set(0)
    read()
    #expect(computations.total == 2)
  }
}
