/// A sentence that a type was observed to break, and how.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// The sentence's number in the contract.
  public let number: Int
  /// The sentence.
  public let sentence: String
  /// The expected and the observed behavior.
  public let finding: String

  public var description: String { "\(number): \(finding)" }
}
