import Foundation
import TidingsInteractors

/// The expected result of an edit, computed on a plain number such as "-1234.5" with plain string operations.
struct EditingOracle {
  let world: EditingWorld
  var plain = ""
  var hasSymbol = false
  /// How many characters of the text are to the left of the caret.
  var caret = 0

  var cells: [(character: Character, counts: Bool)] { world.cells(plain, hasSymbol: hasSymbol) }
  var text: String { String(cells.map(\.character)) }

  /// The text that is typed or pasted, and the part of it that counts; nil if the text itself is to be rejected.
  struct Insertion {
    var text: String
    var plain: String?
    var bringsSymbol = false
  }

  /// Does the edit, or says that it should be rejected.
  mutating func edit(_ range: Range<Int>, _ insertion: Insertion, forward: Bool) -> Bool {
    guard let inserted = insertion.plain else { return false }
    var start = cells[..<range.lowerBound].count { $0.counts }
    var end = start + cells[range].count { $0.counts }
    let isVoid = insertion.text.isEmpty && start == end && !range.isEmpty
    if isVoid, forward { end = min(end + 1, plain.count) } else if isVoid { start = max(0, start - 1) }

    let before = String(plain.prefix(start))
    let removed = String(plain.prefix(end).dropFirst(start))
    let after = String(plain.dropFirst(end))
    let all = before + inserted + after
    if inserted.contains("-"), !world.allowsNegative || !before.isEmpty || after.contains("-") { return false }
    if all.count(where: { $0 == "." }) > 1 { return false }

    var digits = all.filter { $0 != "-" }
    var left = (before + inserted).count { $0 != "-" }
    if removed == ".", insertion.text.isEmpty, digits == "0" { (digits, left) = ("", 0) }
    while digits.count > 1, digits.hasPrefix("0"), !digits.hasPrefix("0.") {
      digits.removeFirst()
      left = max(0, left - 1)
    }
    if digits.hasPrefix(".") { (digits, left) = ("0" + digits, left + 1) }
    let (old, new) = (lengths(plain), lengths(digits))
    if new.integer > max(world.integerDigits, old.integer) || new.fraction > max(world.fractionDigits, old.fraction) {
      return false
    }
    hasSymbol = hasSymbol && !plain.isEmpty || insertion.bringsSymbol
    plain = (all.contains("-") ? "-" : "") + digits
    place(after: left)
    return true
  }

  /// The caret is after the given number of digits and separators, or before the first.
  private mutating func place(after left: Int) {
    var places: [Int] = []
    for (index, cell) in cells.enumerated() where cell.counts && !"-−".contains(cell.character) {
      if places.isEmpty { places.append(index) }
      places.append(index + 1)
    }
    let lead = world.around(isNegative: plain.hasPrefix("-"), hasSymbol: hasSymbol).before
    caret = places.isEmpty ? plain.isEmpty ? 0 : lead.count : places[left]
  }

  private func lengths(_ plain: String) -> (integer: Int, fraction: Int) {
    let parts = plain.filter { $0 != "-" }.split(separator: ".", omittingEmptySubsequences: false)
    return (parts.first?.count ?? 0, parts.count > 1 ? parts[1].count : 0)
  }

  /// The numeric value of the plain number.
  var value: Decimal? {
    if plain.isEmpty { return 0 }
    let value = plain == "-" ? nil : Decimal(string: plain.hasSuffix(".") ? plain + "0" : plain)
    return world.places == 2 ? value.map { $0 / 100 } : value
  }
}
