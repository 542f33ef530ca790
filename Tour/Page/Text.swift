extension String {
  /// Filled with blanks on the right.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Filled with blanks on the left.
  func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

  /// Broken between words into lines of at most `width`.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension Double {
  /// Dollars: cents as a rule, more of it for shares of less than that.
  var dollars: String { self < 0.1 ? fixed(4) : fixed(2) }

  /// A change for people, with a real minus: `−12.3 %`.
  var percent: String { "\(self < 0 ? "−" : "+")\((magnitude * 100).fixed(1)) %" }

  func fixed(_ places: Int) -> String {
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    let scaled = Int((magnitude * Double(unit)).rounded())
    let fraction = String(scaled % unit).padStart(places)
    return "\(self < 0 ? "-" : "")\(scaled / unit).\(fraction)"
  }
}

extension String {
  fileprivate func padStart(_ width: Int) -> String { String(repeating: "0", count: max(0, width - count)) + self }
}

/// `1 price`, `2 prices`.
func counted(_ count: Int, _ kind: String) -> String { "\(count) \(kind)\(count == 1 ? "" : "s")" }

/// `A`, `A and B`, `A, B and C`; beyond `limit` the rest is only counted.
func listed(_ words: [String], limit: Int = 8) -> String {
  var words = words
  if words.count > limit { words = words.prefix(limit) + ["\(words.count - limit) more"] }
  guard let last = words.popLast() else { return "" }
  return words.isEmpty ? last : "\(words.joined(separator: ", ")) and \(last)"
}

/// A row of blocks as high as the values; nil leaves a gap.
func sparkline(_ values: [Double?]) -> [Character] {
  let known = values.compactMap(\.self)
  guard let low = known.min(), let high = known.max() else { return values.map { _ in " " } }
  let blocks = Array("▁▂▃▄▅▆▇█")
  return values.map { value in
    guard let value else { return " " }
    guard high > low else { return "▄" }
    return blocks[Int((value - low) / (high - low) * Double(blocks.count - 1) + 0.5)]
  }
}

/// A bar `value / whole` of `width` wide. Whatever is not nothing shows.
func bar(_ value: Int, of whole: Int, width: Int) -> String {
  guard value > 0, whole > 0 else { return "" }
  return String(repeating: "█", count: max(1, (value * width + whole / 2) / whole))
}
