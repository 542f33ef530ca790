import Foundation

extension NumberText {
  /// All digits of a decimal number; of none that is no number.
  init(_ value: Decimal) {
    // The description is exact, in plain digits, and the same in every locale.
    var marks: [Mark] = []
    for character in value.isFinite ? value.description.utf8 : "".utf8 {
      switch character {
      case UInt8(ascii: "-"): marks.append(.sign)
      case UInt8(ascii: "."): marks.append(.separator)
      default: marks.append(.digit(character - UInt8(ascii: "0")))
      }
    }
    self = NumberText(marks).normalised
  }

  /// The same number, or nothing if a decimal number does not hold all its digits.
  var decimal: Decimal? {
    let number = normalised
    var digits = number.integer + number.fraction
    var exponent = -number.fraction.count
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == 0 })
    guard digits.count <= 39, -128...127 ~= exponent else { return nil }
    // Ten times and one more is exact up to 38 digits, and no binary fraction is on the way.
    let significand = digits.reduce(Decimal(0)) { $0 * 10 + Decimal($1) }
    let value = Decimal(sign: number.isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    return NumberText(value) == number ? value : nil
  }
}
