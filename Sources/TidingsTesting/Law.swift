/// One sentence of the contract, with its check.
///
/// `Contract.check` runs them all. A test framework that wants one test case per sentence takes them from
/// `Contract.laws(for:)`.
public struct Law<Source, Token>: Sendable {
  /// The description of the checked type.
  public typealias Subject = EventUnderTest<Source, Token>

  /// The sentence's number in the contract.
  public let number: Int
  /// The sentence.
  public let sentence: String

  private let requirement: Requirement
  private let check: @Sendable (Subject, Findings) async -> Void

  init(
    _ number: Int, _ sentence: String,
    requires requirement: Requirement = .nothing,
    check: @escaping @Sendable (Subject, Findings) async -> Void
  ) {
    self.number = number
    self.sentence = sentence
    self.requirement = requirement
    self.check = check
  }

  /// Why this law cannot be checked on a type.
  ///
  /// - Parameter type: The description of the type.
  /// - Returns: What the type lacks; nil if the law can be checked.
  public func obstacle(_ type: Subject) -> String? {
    requirement.isMet(by: type) ? nil : "the type has no \(requirement.rawValue)"
  }

  /// Checks the law.
  ///
  /// - Parameter type: The description of the type.
  /// - Returns: How the type breaks the law; empty if it keeps it.
  public func violations(by type: Subject) async -> [Violation] {
    let findings = Findings()
    await check(type, findings)
    return findings.all.map { Violation(number: number, sentence: sentence, finding: $0) }
  }
}
