/// The thing that is moved between sources. It is a number in several representations, so that a value may also be
/// reference-counted.
protocol Coin: Equatable, Sendable {
  init(_ number: Int)
  /// Negative if it is not whole.
  var number: Int { get }
}

extension Int: Coin {
  var number: Int { self }
}

/// Long enough to be on the heap.
extension String: Coin {
  init(_ number: Int) { self = String(repeating: "o", count: 40 + number) }
  var number: Int { utf8.allSatisfy { $0 == UInt8(ascii: "o") } ? utf8.count - 40 : -1 }
}

extension [Int]: Coin {
  init(_ number: Int) { self = Array(repeating: number, count: number + 1) }
  var number: Int { allSatisfy { $0 == count - 1 } ? count - 1 : -1 }
}

final class Token: Coin {
  private let mark: Int
  private let payload: [Int]

  init(_ number: Int) {
    mark = 4711
    payload = [number]
  }
  deinit { if mark != 4711 { fatalError("a token ended twice") } }

  var number: Int { mark == 4711 && payload.count == 1 ? payload[0] : -1 }
  static func == (left: Token, right: Token) -> Bool { left.number == right.number }
}
