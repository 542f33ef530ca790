/// A sentence that a type was seen to break, and how.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// The sentence's number in the contract.
  public let number: Int
  /// The sentence.
  public let sentence: String
  /// What was expected and what was seen.
  public let finding: String

  public var description: String { "\(number): \(finding)" }
}
