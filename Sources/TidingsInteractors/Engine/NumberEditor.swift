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

  /// Whether a text with the separators that were typed and rejected is another number, or none, read like a paste.
  func isAmbiguous(_ text: String, after rejected: [RejectedEdit]) -> Bool {
    let places = rejected.compactMap { rejected in place(of: rejected) }
    if places.isEmpty { return false }
    let number = NumberText(marks(symbols.read(text)))
    let integer = number.integer.drop { $0 == 0 }
    let digits = Array(integer + number.fraction)
    var (typed, expected): ([NumberReader.Token], [NumberText.Mark]) = ([], [])
    for index in 0...digits.count {
      let isSeparated = number.hasSeparator && index == integer.count
      // One that is beside the separator was only typed twice, or is replaced by it.
      if !isSeparated { typed += places.filter { $0.index == index }.map(\.mark) }
      if isSeparated { typed.append((Character(symbols.separator), .separator)) }
      if isSeparated { expected.append(.separator) }
      guard index < digits.count else { break }
      typed.append((Character(symbols.digits[Int(digits[index])]), .digit(digits[index])))
      expected.append(.digit(digits[index]))
    }
    return typed.last?.role == .grouping || (try? reader.marks(ofRun: typed)) != expected
  }

  /// A rejected separator, and the number of digits before it.
  private func place(of rejected: RejectedEdit) -> (index: Int, mark: NumberReader.Token)? {
    let key = rejected.edit.replacement
    guard let mark = key.first, key.count == 1, symbols.isDecimal(mark) else { return nil }
    let head = NumberText(marks(symbols.read(rejected.text).prefix(rejected.edit.range.lowerBound)))
    let index = head.integer.drop { $0 == 0 }.count + head.fraction.count
    return (index, (mark, symbols.role(of: mark) == .grouping ? .grouping : .separator))
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
