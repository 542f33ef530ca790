extension Chart {
  /// For light and dark mode; distinguished without colour vision by their order at the right edge.
  static let colours: [(light: String, dark: String)] = [
    ("#0550ae", "#58a6ff"), ("#8250df", "#bc8cff"), ("#116329", "#3fb950"), ("#bc4c00", "#f0883e"),
    ("#a40e26", "#ff7b72"), ("#7d6100", "#e3b341"), ("#bf3989", "#f778ba"), ("#1b7c83", "#39c5cf"),
  ]

  /// No variables: what draws files outside a browser often does not know them.
  static var style: String {
    """
    text{font:12px system-ui,Helvetica,Arial,sans-serif}.title{font-weight:600;font-size:14px}
    .middle{text-anchor:middle}.end{text-anchor:end}path{fill:none}.line{stroke-width:2}.floor .line{stroke-dasharray:6 4}
    .point{stroke-width:6;stroke-linecap:round}.leader{stroke-dasharray:1 3}
    \(scheme(paper: "#fff", ink: "#1f2328", rule: "#d8dee4", floor: "#57606a", colours.map(\.light)))
    @media(prefers-color-scheme:dark){
    \(scheme(paper: "#0d1117", ink: "#e6edf3", rule: "#30363d", floor: "#9aa4ae", colours.map(\.dark)))}
    """
  }

  private static func scheme(paper: String, ink: String, rule: String, floor: String, _ colours: [String]) -> String {
    var style = ".paper{fill:\(paper)}text{fill:\(ink)}.grid{stroke:\(rule)}"
    for (name, colour) in [("floor", floor)] + colours.enumerated().map({ ("s\($0.offset)", $0.element) }) {
      style += ".\(name) path{stroke:\(colour)}.\(name) text{fill:\(colour)}"
    }
    return style
  }
}
