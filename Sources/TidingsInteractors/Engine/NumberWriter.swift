/// Writes a number as a locale writes it.
struct NumberWriter {
  let symbols: NumberSymbols
  let rules: NumberRules

  /// The text, and where the caret is in it that has the given number of digits and separators of the number on its left.
  func text(_ number: NumberText, isFull: Bool, caret: Int = 0) -> EditedText {
    if number.isEmpty { return EditedText("", caret: 0) }
    let affixes = isFull ? symbols.full : symbols.bare
    let before = number.isNegative ? affixes.negativePrefix : affixes.prefix
    let after = number.isNegative ? affixes.negativeSuffix : affixes.suffix
    var body: [Unicode.Scalar] = []
    // The place of the caret after each character that counts: right after it, before a grouping separator. Each scalar in
    // `body` is one character.
    var places = [0]
    for (index, digit) in number.integer.enumerated() {
      if let mark = mark(before: number.integer.count - index, of: number.integer.count) { body.append(mark) }
      body.append(symbols.digits[Int(digit)])
      places.append(body.count)
    }
    if number.hasSeparator {
      body.append(symbols.separator)
      places.append(body.count)
    }
    for digit in number.fraction {
      body.append(symbols.digits[Int(digit)])
      places.append(body.count)
    }
    let caret = before.count + places[min(max(0, caret), places.count - 1)]
    var text = before.unicodeScalars
    text += body
    text += after.unicodeScalars
    return EditedText(String(text), caret: caret)
  }

  /// The grouping separator, if one is before the last `rest` of the integer digits.
  private func mark(before rest: Int, of count: Int) -> Unicode.Scalar? {
    guard rules.isGrouped, let grouping = symbols.grouping, count >= grouping.least, rest < count else { return nil }
    let further = rest - grouping.first
    return further >= 0 && further % grouping.others == 0 ? grouping.mark : nil
  }
}
