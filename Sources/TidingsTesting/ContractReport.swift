/// The result of each sentence.
public struct ContractReport: Sendable, CustomStringConvertible {
  /// The name of the type that was checked.
  public let subject: String
  /// The sentences from which the type departs on purpose, with its reasons.
  public let excepted: [Int: String]
  /// The sentences that were checked and kept.
  public internal(set) var kept: [Int] = []
  /// The violations, in the contract's order. A sentence may occur more than once.
  public internal(set) var violations: [Violation] = []
  /// The sentences that could not be checked, each with what the type lacks.
  public internal(set) var skipped: [Int: String] = [:]
  /// The exceptions that the type did not need.
  public internal(set) var needless: [Int] = []

  init(subject: String, excepted: [Int: String]) {
    self.subject = subject
    self.excepted = excepted
  }

  /// Whether no sentence was broken.
  public var isKept: Bool { violations.isEmpty }

  /// One line per sentence, for the message of a failed test.
  public var description: String {
    var lines = ["\(subject) keeps \(kept.map(String.init).joined(separator: ", "))"]
    lines += violations.map { "  broken \($0)" }
    lines += excepted.sorted { $0.key < $1.key }.map { "  excepted \($0.key): \($0.value)" }
    lines += skipped.sorted { $0.key < $1.key }.map { "  not tried \($0.key): \($0.value)" }
    lines += needless.map { "  excepted without need: \($0)" }
    return lines.joined(separator: "\n")
  }
}
