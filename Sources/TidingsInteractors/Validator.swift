/// A rule that a value keeps before it is written.
///
/// ```swift
/// let validators: [Validator<Decimal>] = [
///   .require("A price is above zero.") { $0 > 0 },
///   Validator { price throws(Margin) in if price < cost.value { throw Margin.negative } },
///   .later { price in try await desk.approve(price) },
/// ]
/// ```
///
/// A rule objects by throwing; what it throws is the interactor's ``Interactor/error``, with its type. Rules are asked in
/// their order, and the first that objects ends it. They may be asked often, and do nothing else. What they say is asked for
/// anew when the text or the property changes, and by each commit; not when something else that they read does.
public struct Validator<Value: Sendable>: Sendable {
  enum Kind: Sendable {
    case now(@MainActor @Sendable (Value) throws -> Void)
    case later(@Sendable (Value) async throws -> Void)
  }
  let kind: Kind

  /// Asked at once, with every change of the text that is a value.
  public init<Failure: Error>(_ check: @escaping @MainActor @Sendable (Value) throws(Failure) -> Void) {
    kind = .now { try check($0) }
  }
  private init(kind: Kind) { self.kind = kind }

  /// Objects, in words for a person, to values that are not as the closure wants them.
  public static func require(
    _ sentence: String, _ isMet: @escaping @MainActor @Sendable (Value) -> Bool
  ) -> Validator {
    Validator { value throws(Refusal) in if !isMet(value) { throw Refusal(.other, sentence) } }
  }

  /// Asked when all others have passed, and waited for. It is asked what a person has typed, never what the model has.
  ///
  /// When the text changes meanwhile its task is cancelled, and whatever it still answers is not heard. So a rule that
  /// asks a server can begin with a sleep, and asks once when somebody has stopped typing.
  public static func later(_ check: @escaping @Sendable (Value) async throws -> Void) -> Validator {
    Validator(kind: .later(check))
  }
}
