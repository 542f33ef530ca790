/// The limits of a number that is typed. A value may exceed them: a limit holds for what a person adds.
struct NumberRules: Hashable, Sendable {
  var integerDigits = 8
  var fractionDigits = 1...3
  var allowsNegative = true
  var isGrouped = true
  /// The magnitudes of the largest and the smallest number that can be held, where there are such.
  var largest: [UInt8]?
  var smallest: [UInt8]?
  /// The name of such a number in a message.
  var name = "a number"

  /// Whether the limits allow the number that an edit makes of another.
  func check(_ number: NumberText, after old: NumberText) throws(InputRejection) {
    if number.integer.count > max(integerDigits, old.integer.count) {
      let place = fractionDigits.upperBound > 0 ? " before the separator" : ""
      throw InputRejection(.tooManyIntegerDigits, "At most \(Self.digits(integerDigits))\(place).")
    }
    if number.fraction.count > max(fractionDigits.upperBound, old.fraction.count) {
      throw tooManyFractionDigits
    }
    if let limit = number.isNegative ? smallest : largest, Self.isGreater(number.integer, than: limit) {
      throw InputRejection(.tooLarge, "Whole numbers do not go so far here.")
    }
  }

  var tooManyFractionDigits: InputRejection {
    let limit = fractionDigits.upperBound
    let words =
      limit > 0 ? "At most \(Self.digits(limit)) after the separator." : "There is nothing after a separator here."
    return InputRejection(.tooManyFractionDigits, words)
  }

  private static func digits(_ count: Int) -> String { count == 1 ? "1 digit" : "\(count) digits" }

  private static func isGreater(_ digits: [UInt8], than limit: [UInt8]) -> Bool {
    digits.count == limit.count ? limit.lexicographicallyPrecedes(digits) : digits.count > limit.count
  }
}
