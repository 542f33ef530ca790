/// A number as far as it is written: its sign, its digits, and whether there is a separator.
struct NumberText: Hashable, Sendable {
  var isNegative = false
  var integer: [UInt8] = []
  var hasSeparator = false
  var fraction: [UInt8] = []

  /// There is not even a sign.
  var isEmpty: Bool { !isNegative && hasNoDigits }
  var hasNoDigits: Bool { integer.isEmpty && fraction.isEmpty && !hasSeparator }

  /// A character of a number that counts. Everything else in a text is put there by the format.
  enum Mark: Hashable, Sendable {
    case sign
    case digit(UInt8)
    case separator
  }

  init(isNegative: Bool = false, integer: [UInt8] = [], fraction: [UInt8] = []) {
    self.isNegative = isNegative
    self.integer = integer
    self.fraction = fraction
    hasSeparator = !fraction.isEmpty
  }

  init(_ marks: some Sequence<Mark>) {
    for mark in marks {
      switch mark {
      case .sign: isNegative = true
      case .separator: hasSeparator = true
      case .digit(let value): if hasSeparator { fraction.append(value) } else { integer.append(value) }
      }
    }
  }

  /// The number of leading zeros without meaning.
  var leadingZeros: Int { max(0, min(integer.prefix { $0 == 0 }.count, integer.count - 1)) }

  /// Without leading and trailing zeros that mean nothing, and without a sign before zero.
  var normalised: NumberText {
    var fraction = fraction
    while fraction.last == 0 { fraction.removeLast() }
    let integer = Array(integer.drop { $0 == 0 })
    return NumberText(
      isNegative: isNegative && !(integer.isEmpty && fraction.isEmpty), integer: integer, fraction: fraction)
  }

  /// With at most the given number of fraction digits; a half is rounded to the even digit, as the system rounds what it writes.
  func rounded(to count: Int) -> NumberText {
    guard fraction.count > count else { return self }
    let rest = fraction[count...]
    var digits = integer + fraction[..<count]
    let isOdd = (digits.last ?? 0) % 2 == 1
    let isUp = rest.first.map { $0 > 5 || $0 == 5 && (isOdd || rest.dropFirst().contains { $0 > 0 }) } ?? false
    if isUp {
      var index = digits.count
      while index > 0, digits[index - 1] == 9 {
        index -= 1
        digits[index] = 0
      }
      if index > 0 { digits[index - 1] += 1 } else { digits.insert(1, at: 0) }
    }
    return NumberText(
      isNegative: isNegative, integer: Array(digits.dropLast(count)), fraction: Array(digits.suffix(count))
    ).normalised
  }

  /// With the separator the given number of places further to the right, or to the left.
  func shifted(by places: Int) -> NumberText {
    var shifted = self
    for _ in 0..<max(0, places) {
      shifted.integer.append(shifted.fraction.isEmpty ? 0 : shifted.fraction.removeFirst())
    }
    for _ in 0..<max(0, -places) { shifted.fraction.insert(shifted.integer.popLast() ?? 0, at: 0) }
    return shifted.normalised
  }
}
