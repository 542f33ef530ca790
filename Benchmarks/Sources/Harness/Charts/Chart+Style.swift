extension Chart {
  /// By day and by night; told apart by people who see few colours by their order at the right edge.
  static let colours: [(light: String, dark: String)] = [
    ("#57606a", "#9aa4ae"), ("#0550ae", "#58a6ff"), ("#8250df", "#bc8cff"), ("#116329", "#3fb950"),
    ("#bc4c00", "#f0883e"), ("#a40e26", "#ff7b72"), ("#7d6100", "#e3b341"), ("#bf3989", "#f778ba"),
  ]

  static var style: String {
    let light = colours.indices.map { ".s\($0){--c:\(colours[$0].light)}" }.joined()
    let dark = colours.indices.map { ".s\($0){--c:\(colours[$0].dark)}" }.joined()
    return """
      svg{--paper:#fff;--ink:#1f2328;--rule:#d8dee4}.floor{--c:#57606a}\(light)
      @media(prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--rule:#30363d}.floor{--c:#9aa4ae}\(dark)}
      .paper{fill:var(--paper)}text{font:12px system-ui,sans-serif;fill:var(--ink)}.title{font-weight:600;font-size:14px}
      .middle{text-anchor:middle}.end{text-anchor:end}path{fill:none}.grid{stroke:var(--rule)}
      g text{fill:var(--c)}.line{stroke:var(--c);stroke-width:2}.floor .line{stroke-dasharray:6 4}
      .point{stroke:var(--c);stroke-width:6;stroke-linecap:round}.leader{stroke:var(--c);stroke-dasharray:1 3}
      """
  }
}
