import Foundation

/// The figures of a run, printed as they come, and whether each meets its target.
struct Table {
  private var isMet = true
  /// Only figures whose name contains it are measured.
  let word: String?

  init(only word: String?) { self.word = word }

  enum Target {
    case atLeast(Double)
    case atMost(Double)
    /// For comparison only.
    case none
  }

  mutating func add(_ name: String, _ value: Double, _ unit: String, _ target: Target, _ note: String = "") {
    let (mark, text): (String, String) =
      switch target {
      case .atLeast(let least): (value >= least ? "pass" : "FAIL", "at least \(Self.text(least))")
      case .atMost(let most): (value <= most ? "pass" : "FAIL", "at most \(Self.text(most))")
      case .none: ("    ", "")
      }
    if mark == "FAIL" { isMet = false }
    let padded = name.padding(toLength: max(name.count, 58), withPad: " ", startingAt: 0)
    let number = Self.text(value)
    let column = String(repeating: " ", count: max(0, 10 - number.count)) + number
    say("\(mark)  \(padded)\(column) \(unit)  \(text)  \(note)")
  }

  /// Measures it too, if it was asked for: the median of the given number of tries. What share of a processor this program was given
  /// meanwhile says whether the machine was its own.
  @discardableResult
  mutating func add(
    _ name: String, tries: Int = 1, _ unit: String, _ target: Target, _ body: () async throws -> Double
  ) async rethrows -> Double? {
    if let word, !name.contains(word) { return nil }
    var values: [Double] = []
    let (began, used) = (ContinuousClock.now, processorSeconds())
    for _ in 0..<tries { values.append(try await body()) }
    let share = (processorSeconds() - used) / (ContinuousClock.now - began).seconds
    let value = values.sorted()[tries / 2]
    add(name, value, unit, target, "\(Int(share * 100)) % of a core")
    return value
  }

  /// Adds the ratio of one figure to another figure of the same run.
  mutating func ratio(_ name: String, _ value: Double?, to raw: Double?) {
    if let value, let raw { add(name, value / raw, "", .none) }
  }

  /// Ends the program: 1 when a figure missed its target.
  func end() -> Never { exit(isMet ? 0 : 1) }

  private static func text(_ value: Double) -> String {
    value >= 1_000 ? "\(Int(value.rounded()))" : String(format: "%.2f", value)
  }
}

func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Nanoseconds on the clock that the processes of this machine share.
func monotonicNow() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Seconds of a processor that this process has used.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
