/// The page that the tour prints: lines of at most 80 columns, with colours only where they are wanted.
@MainActor
final class Page {
  /// Lines of the chapters keep within this.
  static let width = 80

  enum Style: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
  }

  private let isColoured: Bool
  private let write: (String) -> Void

  /// - Parameter write: Takes each line, without its end.
  init(isColoured: Bool, write: @escaping (String) -> Void) {
    self.isColoured = isColoured
    self.write = write
  }

  func line(_ text: String = "") {
    var text = text
    while text.last == " " { text.removeLast() }
    write(text)
  }

  func heading(_ text: String) {
    line()
    line(styled(text, .bold))
    line(styled(String(repeating: "─", count: Self.width), .dim))
  }

  /// A paragraph.
  func say(_ text: String) {
    for row in text.wrapped(to: Self.width) { line(row) }
  }

  /// Code, or what the library says of itself, set off by a rule at its side.
  func quote(_ text: String) {
    for row in text.split(separator: "\n", omittingEmptySubsequences: false) {
      line(styled("  │ \(row)", .dim))
    }
  }

  /// Style what is padded already: the marks count as characters, though they are invisible.
  func styled(_ text: String, _ style: Style) -> String {
    isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
