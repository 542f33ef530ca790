/// A rule that a value must satisfy before it is written.
///
/// ```swift
/// let validators: [Validator<Decimal>] = [
///   .require("A price is above zero.") { $0 > 0 },
///   Validator { price throws(Margin) in if price < cost.value { throw Margin.negative } },
///   .later { price in try await firm.approve(price) },
/// ]
/// ```
///
/// A rule objects by throwing; the interactor publishes the error, with its type, as ``Interactor/error``. Rules are checked
/// in their order, up to the first that objects. They may be called often, and should have no effects. They are checked
/// again when the text or the property changes and by each commit, not when something else that they read changes.
public struct Validator<Value: Sendable>: Sendable {
  enum Kind: Sendable {
    case now(@MainActor @Sendable (Value) throws -> Void)
    case later(@Sendable (Value) async throws -> Void)
  }
  let kind: Kind

  /// Makes a rule that is checked synchronously, with every change of the text that has a value.
  ///
  /// - Parameter check: Throws if the value is not valid.
  public init<Failure: Error>(_ check: @escaping @MainActor @Sendable (Value) throws(Failure) -> Void) {
    kind = .now { try check($0) }
  }
  private init(kind: Kind) { self.kind = kind }

  /// Makes a rule of a predicate, whose error is a sentence for a person.
  ///
  /// - Parameters:
  ///   - sentence: The description of the error.
  ///   - isMet: Returns whether the value is valid.
  /// - Returns: The rule.
  public static func require(
    _ sentence: String, _ isMet: @escaping @MainActor @Sendable (Value) -> Bool
  ) -> Validator {
    Validator { value throws(InputRejection) in if !isMet(value) { throw InputRejection(.other, sentence) } }
  }

  /// Makes an asynchronous rule, which is checked when all others have passed, for a value that a person has typed and never
  /// for one that the model has.
  ///
  /// When the text changes meanwhile, its task is cancelled, and its answer is ignored. So a rule that asks a server can
  /// begin with a sleep: then it asks once, when the person has stopped typing.
  ///
  /// - Parameter check: Throws if the value is not valid.
  /// - Returns: The rule.
  public static func later(_ check: @escaping @Sendable (Value) async throws -> Void) -> Validator {
    Validator(kind: .later(check))
  }
}
