/// One sentence of the contract, with the check that tries it.
///
/// `Contract.check` runs them all; a test framework that wants one test case a sentence takes them from
/// `Contract.laws(for:)`.
public struct Law<Source, Token>: Sendable {
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

  /// Why this law cannot be tried on `type`; nil when it can.
  public func obstacle(_ type: Subject) -> String? {
    requirement.isMet(by: type) ? nil : "the type has no \(requirement.rawValue)"
  }

  /// Tries the law and tells how `type` breaks it. Empty when it is kept.
  public func violations(by type: Subject) async -> [Violation] {
    let findings = Findings()
    await check(type, findings)
    return findings.all.map { Violation(number: number, sentence: sentence, finding: $0) }
  }
}
