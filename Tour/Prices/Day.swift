/// A day, read and written the way the file does: `Jan 1 2000`.
struct Day: Hashable, Comparable, Sendable {
  let year: Int
  /// 1 to 12.
  let month: Int
  let day: Int

  /// Nil if `text` is not a day of the calendar in that form.
  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let month = Self.monthNames.firstIndex(of: String(parts[0])),
      let day = Self.number(parts[1], digits: 1...2), let year = Self.number(parts[2], digits: 4...4),
      1...Self.length(ofMonth: month + 1, in: year) ~= day
    else { return nil }
    (self.year, self.month, self.day) = (year, month + 1, day)
  }

  /// Months since the year 0: two days of one month have the same.
  var monthNumber: Int { year * 12 + month - 1 }

  /// The month for people: `Jan 2000`.
  var monthName: String { "\(Self.monthNames[month - 1]) \(year)" }

  static func < (one: Day, other: Day) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Int` alone would take `+1` and `-1` too.
  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    digits ~= text.count && text.allSatisfy { "0"..."9" ~= $0 } ? Int(text) : nil
  }

  private static func length(ofMonth month: Int, in year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
