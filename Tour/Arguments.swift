/// The arguments of the command line.
enum Arguments: Equatable {
  /// The origin of the prices.
  enum Input: Equatable {
    case shippedPrices
    case standardInput
    case file(String)
  }
  case help
  case tour(Input)
  /// A trade is typed in the terminal.
  case interactive(Input)

  /// A command line that asks for nothing the tour has.
  struct Misuse: Error, Equatable {
    let sentence: String
  }

  /// - Parameter words: Without the name of the program.
  init(_ words: some Sequence<String>) throws(Misuse) {
    var inputs: [Input] = []
    var (mayBeOption, isInteractive) = (true, false)
    for word in words {
      switch word {
      case "--" where mayBeOption: mayBeOption = false
      case "--help" where mayBeOption, "-h" where mayBeOption:
        self = .help
        return
      case "--interactive" where mayBeOption: isInteractive = true
      case "-": inputs.append(.standardInput)
      case _ where mayBeOption && word.hasPrefix("-"):
        throw Misuse(sentence: "There is no option \(word).")
      default: inputs.append(.file(word))
      }
    }
    guard inputs.count <= 1 else { throw Misuse(sentence: "One file at a time, please.") }
    let input = inputs.first ?? .shippedPrices
    guard !isInteractive || input != .standardInput else {
      throw Misuse(sentence: "With --interactive standard input is the keyboard: name a file for the prices.")
    }
    self = isInteractive ? .interactive(input) : .tour(input)
  }

  static let usage = """
    usage: tour [--interactive] [file.csv | -]

    A walk through Tidings in numbered chapters, on the monthly closing prices of
    five companies, or on prices of your own: from a file, or with - from standard
    input. The file is CSV with the header symbol,date,price and rows such as
    IBM,Jan 1 2000,100.52 in any order. A row that cannot be read is reported and
    left out.

      --interactive   type a trade yourself, in a terminal
      --help          print this
    """
}
