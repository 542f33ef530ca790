/// The command line.
struct Options {
  enum JSON: Equatable {
    case no
    case standardOutput
    case file(String)
  }

  var json = JSON.no
  var only: [String] = []
  var quick = false
  var check = false
  var help = false

  static let usage = """
    usage: bench [--only WORD]... [--quick] [--check] [--json [FILE]]

      --only WORD    only rows whose name contains WORD; may be repeated
      --quick        fewer and shorter samples: a look, not a measurement
      --check        compare with the thresholds; exit 1 when one fails
      --json [FILE]  every sample as JSON, to FILE or to standard output
    """

  struct Wrong: Error { let message: String }

  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--quick": quick = true
      case "--check": check = true
      case "--help", "-h": help = true
      case "--only":
        guard let word = rest.popFirst() else { throw Wrong(message: "--only wants a word") }
        only.append(word.lowercased())
      case "--json":
        if let file = rest.first, !file.hasPrefix("--") {
          rest.removeFirst()
          json = .file(file)
        } else {
          json = .standardOutput
        }
      default: throw Wrong(message: "unknown argument: \(argument)")
      }
    }
  }

  func wants(_ row: String) -> Bool {
    only.isEmpty || only.contains { row.lowercased().contains($0) }
  }
}
