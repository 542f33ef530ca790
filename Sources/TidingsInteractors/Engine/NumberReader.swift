/// Finds the number in a text.
struct NumberReader {
  let symbols: NumberSymbols
  let rules: NumberRules

  typealias Token = (character: Character, role: NumberSymbols.Role)

  /// The number that the whole text is; an empty one if there is nothing but what the format itself puts there.
  func number(_ text: String) throws(InputRejection) -> NumberText {
    var tokens = symbols.read(text).filter { $0.role != .mark }[...]
    // Nothing between two digits is left out: a symbol there may be a separator, as in “5€50”.
    let isLeftOut = { (token: Token) in token.role == .symbol || token.character.isWhitespace }
    tokens = tokens.trimming(while: isLeftOut)
    var isNegative = false
    if tokens.first?.role == .sign {
      tokens.removeFirst()
      isNegative = true
    } else if tokens.last?.role == .sign, hasSignAfter {
      tokens.removeLast()
      isNegative = true
    }
    tokens = tokens.trimming(while: isLeftOut)
    if tokens.isEmpty, !isNegative { return NumberText() }
    guard tokens.allSatisfy({ $0.role.isOfRun }) else { throw foreign(text) }
    guard tokens.contains(where: { $0.role.isDigit }) else {
      throw InputRejection(.incomplete, "“\(text)” is not \(rules.name) yet.")
    }
    return NumberText((isNegative ? [.sign] : []) + (try marks(ofRun: Array(tokens))))
  }

  /// Returns the characters that count in a text that is typed or pasted: a single key, or the one number in the text.
  func insertion(_ text: String) throws(InputRejection) -> [NumberText.Mark] {
    if text.isEmpty { return [] }
    let tokens = Array(symbols.read(text).filter { $0.role != .mark }.trimming { $0.character.isWhitespace })
    if tokens.allSatisfy({ $0.role == .symbol }), !tokens.isEmpty { return [] }
    if tokens.count == 1 { return [try key(tokens[0], text)] }
    guard var run = digits(in: tokens) else {
      guard tokens.count(where: { $0.role != .symbol }) == 1, tokens.contains(where: { $0.role == .sign }) else {
        throw foreign(text)
      }
      return [.sign]
    }
    // A fraction such as ½, or a digit of another script, is a number that cannot be read.
    guard tokens[run].allSatisfy({ $0.role.isOfRun }),
      !tokens.contains(where: { !$0.role.isDigit && $0.character.isNumber })
    else { throw InputRejection(.ambiguous, "There is more than one number in “\(text)”.") }
    run = withSeparators(run, of: tokens)
    let marks = try marks(ofRun: Array(tokens[run]))
    guard let sign = NumberShape(tokens, run).sign else { throw ambiguous(text) }
    return (sign == .minus ? [.sign] : []) + marks
  }

  private func key(_ token: Token, _ text: String) throws(InputRejection) -> NumberText.Mark {
    switch token.role {
    case .digit(let value): return .digit(value)
    case .sign: return .sign
    case .separator where rules.fractionDigits.upperBound > 0: return .separator
    // The dot of a numeric keypad, in a country where it means nothing else.
    case .other where rules.fractionDigits.upperBound > 0 && symbols.isDecimal(token.character): return .separator
    case .grouping where !token.character.isWhitespace:
      throw InputRejection(.foreignCharacters, "“\(token.character)” only groups digits: it can be left out.")
    case .separator, .grouping, .mark, .symbol, .currency, .other: throw foreign(text)
    }
  }

  /// From the first digit to the last.
  private func digits(in tokens: [Token]) -> Range<Int>? {
    guard let first = tokens.firstIndex(where: { $0.role.isDigit }),
      let last = tokens.lastIndex(where: { $0.role.isDigit })
    else { return nil }
    return first..<last + 1
  }

  /// With the separator before the first digit, as in “$.99”, but not with the dot of “Rs.99”. And with the one after the last
  /// digit, unless it can be the comma or the full stop of a sentence.
  private func withSeparators(_ run: Range<Int>, of tokens: [Token]) -> Range<Int> {
    var run = run
    let isAll = run.lowerBound == 0 && run.upperBound == tokens.count - 1
    if isAll, tokens[run.upperBound].role == .separator { run = run.lowerBound..<run.upperBound + 1 }
    // The separator of Cape Verde is a dollar sign, which is rather the currency before a number.
    guard let mark = tokens[..<run.lowerBound].last, mark.role == .separator, !mark.character.isCurrencySymbol else {
      return run
    }
    let isAfterWord = tokens[..<run.lowerBound].dropLast().last?.character.isLetter ?? false
    return isAfterWord ? run : run.lowerBound - 1..<run.upperBound
  }

  private var hasSignAfter: Bool { symbols.full.negativeSuffix.contains { symbols.role(of: $0) == .sign } }

  /// Returns the characters that count in a stretch of digits, if it is a number as the locale writes it.
  func marks(ofRun run: [Token]) throws(InputRejection) -> [NumberText.Mark] {
    let parts = run.split(omittingEmptySubsequences: false) { $0.role == .separator }
    guard parts.count < 3 else {
      throw InputRejection(.secondSeparator, "There is more than one separator in “\(String(run.map(\.character)))”.")
    }
    let groups = parts[0].split(omittingEmptySubsequences: false) { $0.role == .grouping }.map(\.count)
    let isOneKind = Set(run.filter { $0.role == .grouping }.map(\.character)).count < 2
    let isPlainAfter = parts.dropFirst().allSatisfy { $0.allSatisfy { $0.role.isDigit } }
    // “0.500” is no thousand, whatever the dot means here.
    let isPadded = groups.count > 1 && run.first?.role == .digit(0)
    guard isOneKind, isPlainAfter, !isPadded, areGroups(groups) else {
      throw ambiguous(String(run.map(\.character)))
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

  func ambiguous(_ text: String) -> InputRejection {
    InputRejection(.ambiguous, "“\(text)” is not written as \(rules.name) is here.")
  }
}

extension NumberSymbols.Role {
  var isDigit: Bool { if case .digit = self { true } else { false } }
  /// Is between the first and the last digit of a number.
  var isOfRun: Bool { isDigit || self == .separator || self == .grouping }
}

extension BidirectionalCollection {
  fileprivate func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
    let front = drop(while: isTrimmed)
    guard let last = front.lastIndex(where: { !isTrimmed($0) }) else { return front.prefix(0) }
    return front[...last]
  }
}
