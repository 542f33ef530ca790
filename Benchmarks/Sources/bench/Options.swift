/// The command line.
struct Options {
  enum JSON: Equatable {
    case no
    case standardOutput
    case file(String)
  }

  var json = JSON.no
  var charts: String?
  var from: String?
  var only: [String] = []
  var contenders: [String] = []
  var count: Int?
  var growth = false
  var targets = false
  var quick = false
  var check = false
  var contention = false
  var help = false

  static let usage = """
    usage: bench [--growth | --targets] [--only WORD]... [--contender WORD]... [--quick] [--check]
                 [--json [FILE]] [--charts FOLDER]
           bench --from FILE --charts FOLDER

      --growth          the rows whose cost is followed as handlers, values, events, payloads and time grow
      --targets         only what the thresholds compare
      --only WORD       only rows whose name contains WORD; may be repeated
      --contender WORD  only contenders whose name contains WORD; may be repeated
                        (=WORD in either place: the whole name)
      --quick           fewer and shorter samples: a look, not a measurement
      --count N         one sample of exactly N operations, not warmed up: for counting instructions
      --contention      the work of the rows "cores", for Benchmarks/contention to trace
      --check           exit 1 when a figure misses its threshold
      --json [FILE]     everything as JSON, to FILE or to standard output
      --charts FOLDER   a chart (SVG) for each family of rows that differ in size, into FOLDER
      --from FILE       measure nothing: take what --json has written to FILE
    """

  struct Wrong: Error { let message: String }

  init(_ arguments: [String]) throws(Wrong) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--growth": growth = true
      case "--targets": targets = true
      case "--quick": quick = true
      case "--check": check = true
      case "--contention": contention = true
      case "--help", "-h": help = true
      case "--only":
        only.append(try Self.word(after: argument, &rest).lowercased())
      case "--contender":
        contenders.append(try Self.word(after: argument, &rest).lowercased())
      case "--charts": charts = try Self.word(after: argument, &rest)
      case "--from": from = try Self.word(after: argument, &rest)
      case "--count":
        guard let number = Int(try Self.word(after: argument, &rest)), number > 0 else {
          throw Wrong(message: "--count wants a number")
        }
        count = number
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
    if growth && targets { throw Wrong(message: "--growth has no targets but its own: leave --targets out") }
    if from != nil && charts == nil { throw Wrong(message: "--from measures nothing, and draws with --charts only") }
  }

  private static func word(after option: String, _ rest: inout ArraySlice<String>) throws(Wrong) -> String {
    guard let word = rest.popFirst() else { throw Wrong(message: "\(option) wants a word") }
    return word
  }

  /// Whether the name holds one of the words, if there are any.
  static func matches(_ name: String, _ words: [String]) -> Bool {
    let name = name.lowercased()
    return words.isEmpty || words.contains { $0.hasPrefix("=") ? name == $0.dropFirst() : name.contains($0) }
  }

  /// Instructions are counted: what checks the work would be counted with it.
  static let isCounting = CommandLine.arguments.contains("--count")

  /// Not everything was asked for.
  var isPartial: Bool { !only.isEmpty || !contenders.isEmpty }
}
