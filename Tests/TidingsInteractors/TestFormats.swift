import TidingsInteractors

/// Writes two decimal places, so that what it writes is not always what it was given.
struct Rounded: TextFormat {
  func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText {
    let edited = EditedText.applying(edit, to: text)
    guard edited.text.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" }) else {
      throw InputRejection(.foreignCharacters, "Only digits.")
    }
    if edited.text.filter({ $0 == "." }).count > 1 { throw InputRejection(.secondSeparator, "One point.") }
    return edited
  }
  func parse(_ text: String) throws(InputRejection) -> Double {
    if text.isEmpty { throw InputRejection(.empty, "Nothing.") }
    guard let value = Double(text) else { throw InputRejection(.incomplete, "No number yet.") }
    return value
  }
  func format(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let cents = abs(hundredths) % 100
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(cents < 10 ? "0" : "")\(cents)"
  }
}

/// Whole numbers in groups of three: nearly every key gives another text than the plain edit.
struct Grouped: TextFormat {
  func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText {
    let plain = EditedText.applying(edit, to: text)
    if plain.text.contains(where: { $0 != "'" && !$0.isNumber }) {
      throw InputRejection(.foreignCharacters, "Only digits.")
    }
    if plain.text.count > 15 { throw InputRejection(.tooManyIntegerDigits, "No more digits.") }
    let after = plain.text.dropFirst(plain.selection.lowerBound).filter { $0 != "'" }.count
    let grouped = Self.group(plain.text.filter { $0 != "'" })
    var caret = grouped.count
    var passed = 0
    while passed < after {
      caret -= 1
      if Array(grouped)[caret] != "'" { passed += 1 }
    }
    if caret > 0, Array(grouped)[caret - 1] == "'" { caret -= 1 }
    return EditedText(grouped, caret: caret)
  }
  func parse(_ text: String) throws(InputRejection) -> Int {
    if text.isEmpty { throw InputRejection(.empty, "Nothing.") }
    guard let value = Int(text.filter { $0 != "'" }) else { throw InputRejection(.incomplete, "No number yet.") }
    return value
  }
  func format(_ value: Int) -> String { Self.group(String(value)) }

  static func group(_ digits: String) -> String {
    var result = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "'" }
      result.append(digit)
    }
    return result
  }
}

/// Any text, without the spaces around it.
struct Trimmed: TextFormat {
  func edit(_ edit: TextEdit, of text: String) throws(InputRejection) -> EditedText { .applying(edit, to: text) }
  func parse(_ text: String) throws(InputRejection) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    if words.isEmpty { throw InputRejection(.empty, "Nothing.") }
    return words
  }
  func format(_ value: String) -> String { value }
}
