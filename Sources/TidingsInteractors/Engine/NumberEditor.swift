/// Applies an edit to a number that is being typed.
///
/// The text is taken apart into the characters that count (sign, digits, separator); they are edited, and written again.
/// So grouping needs no rules of its own, and the caret is after as many digits as a person left on its left.
struct NumberEditor: Hashable, Sendable {
  var symbols: NumberSymbols
  var rules: NumberRules

  var reader: NumberReader { NumberReader(symbols: symbols, rules: rules) }
  var writer: NumberWriter { NumberWriter(symbols: symbols, rules: rules) }

  func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText {
    let tokens = symbols.read(text)
    let range = edit.range.clamped(to: 0..<tokens.count)
    var before = marks(tokens[..<range.lowerBound])
    var removed = marks(tokens[range])
    var after = marks(tokens[range.upperBound...])
    if edit.replacement.isEmpty, removed.isEmpty, !range.isEmpty {
      // A character that the format has added cannot be deleted: the person means the character beside it.
      switch edit.direction {
      case .backward: removed = before.popLast().map { [$0] } ?? []
      case .forward: removed = after.isEmpty ? [] : [after.removeFirst()]
      }
    }
    let inserted = try reader.insertion(edit.replacement)
    try check(inserted, between: before, and: after)
    let old = NumberText(before + removed + after)
    var number = NumberText(before + inserted + after)
    var caret = (before + inserted).count { $0 != .sign }
    if removed == [.separator], edit.replacement.isEmpty, number.integer == [0] {
      // The zero had come with the separator, and is removed with it.
      number.integer = []
      caret = 0
    }
    let zeros = number.leadingZeros
    number.integer.removeFirst(zeros)
    caret -= min(caret, zeros)
    if number.hasSeparator, number.integer.isEmpty {
      number.integer = [0]
      caret += 1
    }
    try rules.check(number, after: old)
    // The symbol stays if it is there, and comes if it is typed.
    let isFull = (tokens + symbols.read(edit.replacement)).contains { $0.role == .symbol }
    return writer.text(number, isFull: isFull, caret: caret)
  }

  /// The characters that count. A text that did not come from here may have more than one separator; the first counts.
  private func marks(_ tokens: some Sequence<NumberReader.Token>) -> [NumberText.Mark] {
    tokens.compactMap {
      switch $0.role {
      case .digit(let value): .digit(value)
      case .separator: .separator
      case .sign: .sign
      case .grouping, .mark, .symbol, .currency, .other: nil
      }
    }
  }

  private func check(
    _ inserted: [NumberText.Mark], between before: [NumberText.Mark], and after: [NumberText.Mark]
  ) throws(InputRejection) {
    if inserted.contains(.sign) {
      guard rules.allowsNegative else { throw InputRejection(.sign, "No minus is allowed here.") }
      if before.contains(.sign) || after.contains(.sign) { throw InputRejection(.sign, "There is a minus already.") }
      if !before.isEmpty { throw InputRejection(.sign, "A minus sign must be first.") }
    }
    if inserted.contains(.separator), before.contains(.separator) || after.contains(.separator) {
      throw InputRejection(.secondSeparator, "There is a separator already.")
    }
  }
}
