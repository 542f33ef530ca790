/// Finds the number in a text.
struct NumberReader {
  let symbols: NumberSymbols
  let rules: NumberRules

  typealias Token = (character: Character, role: NumberSymbols.Role)

  /// The number that the whole text is; an empty one if there is nothing but what the format itself puts there.
  func number(_ text: String) throws(InputRejection) -> NumberText {
    var tokens = symbols.read(text).filter { $0.role != .mark && $0.role != .symbol }
    trim(&tokens)
    var isNegative = false
    if tokens.first?.role == .sign {
      tokens.removeFirst()
      isNegative = true
    } else if tokens.last?.role == .sign, hasSignAfter {
      tokens.removeLast()
      isNegative = true
    }
    trim(&tokens)
    if tokens.isEmpty, !isNegative { return NumberText() }
    guard tokens.allSatisfy({ $0.role.isOfRun }) else { throw foreign(text) }
    guard tokens.contains(where: { $0.role.isDigit }) else {
      throw InputRejection(.incomplete, "“\(text)” is not \(rules.name) yet.")
    }
    return NumberText((isNegative ? [.sign] : []) + (try marks(ofRun: tokens)))
  }

  /// Returns the characters that count in a text that is typed or pasted: a single key, or the one number in the text.
  func insertion(_ text: String) throws(InputRejection) -> [NumberText.Mark] {
    if text.isEmpty { return [] }
    var tokens = symbols.read(text).filter { $0.role != .mark }
    tokens = Array(tokens.trimming { $0.character.isWhitespace })
    if tokens.allSatisfy({ $0.role == .symbol }), !tokens.isEmpty { return [] }
    if tokens.count == 1 { return [try key(tokens[0], text)] }
    let runs = runs(in: tokens)
    guard let run = runs.first else {
      guard tokens.count(where: { $0.role != .symbol }) == 1, tokens.contains(where: { $0.role == .sign }) else {
        throw foreign(text)
      }
      return [.sign]
    }
    guard runs.count == 1 else { throw InputRejection(.ambiguous, "There is more than one number in “\(text)”.") }
    return (isNegative(tokens, run) ? [.sign] : []) + (try marks(ofRun: Array(tokens[run])))
  }

  private func key(_ token: Token, _ text: String) throws(InputRejection) -> NumberText.Mark {
    switch token.role {
    case .digit(let value): return .digit(value)
    case .sign: return .sign
    case .separator:
      guard rules.fractionDigits.upperBound > 0 else { throw foreign(text) }
      return .separator
    case .grouping where !token.character.isWhitespace:
      throw InputRejection(.foreignCharacters, "“\(token.character)” only groups digits: it can be left out.")
    case .grouping, .mark, .symbol, .other: throw foreign(text)
    }
  }

  /// The stretches of digits, with what may be between them.
  private func runs(in tokens: [Token]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var index = 0
    while index < tokens.count {
      let start = index
      while index < tokens.count, tokens[index].role.isOfRun { index += 1 }
      if start == index {
        index += 1
        continue
      }
      let run = stripped(start..<index, of: tokens)
      if !run.isEmpty { runs.append(run) }
    }
    return runs
  }

  /// Without the comma and the full stop of the sentence that contained it.
  private func stripped(_ run: Range<Int>, of tokens: [Token]) -> Range<Int> {
    guard let first = run.first(where: { tokens[$0].role.isDigit }),
      let last = run.last(where: { tokens[$0].role.isDigit })
    else { return run.lowerBound..<run.lowerBound }
    var stripped = first..<last + 1
    let isAfterWord = first > 1 && tokens[first - 2].character.isLetter
    if first > run.lowerBound, tokens[first - 1].role == .separator, !isAfterWord { stripped = first - 1..<last + 1 }
    let isAll = run.lowerBound == 0 && run.upperBound == tokens.count
    if isAll, last + 1 < run.upperBound, tokens[last + 1].role == .separator {
      stripped = stripped.lowerBound..<last + 2
    }
    return stripped
  }

  /// A minus before the number, or before the one word in front of it, which names a currency; but no hyphen and no dash. Or
  /// the brackets that a spreadsheet puts around what is owed, if they are around all of it.
  private func isNegative(_ tokens: [Token], _ run: Range<Int>) -> Bool {
    let front = tokens[..<run.lowerBound]
    let word = front.dropLast(while: \.character.isWhitespace)
    let start = word.dropLast { $0.role == .symbol || $0.character.isLetter || $0.character.isCurrencySymbol }
    // With a space after it a minus is one only at the very beginning, or right after the symbol there.
    let isSpaced = [word, start.dropLast(while: \.character.isWhitespace)].contains {
      $0.count { $0.role != .symbol } == 1 && isSign(endOf: $0)
    }
    let after = tokens[run.upperBound...].first { $0.role != .symbol && !$0.character.isWhitespace }
    let isBracketed =
      start.count == 1 && start.first?.character == "(" && after?.character == ")"
      && tokens.last { !$0.character.isWhitespace }?.character == ")"
    return isSign(endOf: front) || isSpaced || isBracketed || start.count < word.count && isSign(endOf: start)
      || hasSignAfter && after?.role == .sign
  }

  private func isSign(endOf tokens: ArraySlice<Token>) -> Bool {
    guard tokens.last?.role == .sign else { return false }
    guard let before = tokens.dropLast().last else { return true }
    return before.role == .symbol || !before.character.isLetter && !before.role.isDigit
  }

  private var hasSignAfter: Bool { symbols.full.negativeSuffix.contains { symbols.role(of: $0) == .sign } }

  /// Returns the characters that count in a stretch of digits, if it is a number as the locale writes it.
  private func marks(ofRun run: [Token]) throws(InputRejection) -> [NumberText.Mark] {
    let parts = run.split(omittingEmptySubsequences: false) { $0.role == .separator }
    guard parts.count < 3 else {
      throw InputRejection(.secondSeparator, "There is more than one separator in “\(String(run.map(\.character)))”.")
    }
    let groups = parts[0].split(omittingEmptySubsequences: false) { $0.role == .grouping }.map(\.count)
    let isOneKind = Set(run.filter { $0.role == .grouping }.map(\.character)).count < 2
    let isPlainAfter = parts.dropFirst().allSatisfy { $0.allSatisfy { $0.role.isDigit } }
    guard isOneKind, isPlainAfter, areGroups(groups) else {
      throw InputRejection(.ambiguous, "“\(String(run.map(\.character)))” is not written as \(rules.name) is here.")
    }
    guard parts.count == 1 || rules.fractionDigits.upperBound > 0 else { throw rules.tooManyFractionDigits }
    return run.compactMap {
      switch $0.role {
      case .digit(let value): .digit(value)
      case .separator: .separator
      default: nil
      }
    }
  }

  /// Whether these many digits between the grouping separators are a grouping of the locale, or by threes.
  private func areGroups(_ groups: [Int]) -> Bool {
    guard groups.count > 1 else { return true }
    let sizes = [(3, 3), (symbols.grouping?.first ?? 3, symbols.grouping?.others ?? 3)]
    return sizes.contains { first, others in
      groups[groups.count - 1] == first && groups.dropFirst().dropLast().allSatisfy { $0 == others }
        && 1...max(first, others) ~= groups[0]
    }
  }

  func foreign(_ text: String) -> InputRejection {
    InputRejection(.foreignCharacters, "“\(text)” cannot be part of \(rules.name).")
  }

  private func trim(_ tokens: inout [Token]) {
    tokens = Array(tokens.trimming { $0.character.isWhitespace })
  }
}

extension NumberSymbols.Role {
  var isDigit: Bool { if case .digit = self { true } else { false } }
  /// Is between the first and the last digit of a number.
  var isOfRun: Bool { isDigit || self == .separator || self == .grouping }
}

extension ArraySlice {
  fileprivate func dropLast(while isDropped: (Element) -> Bool) -> ArraySlice {
    lastIndex { !isDropped($0) }.map { self[...$0] } ?? prefix(0)
  }
}

extension BidirectionalCollection {
  fileprivate func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
    let front = drop(while: isTrimmed)
    guard let last = front.lastIndex(where: { !isTrimmed($0) }) else { return front.prefix(0) }
    return front[...last]
  }
}
