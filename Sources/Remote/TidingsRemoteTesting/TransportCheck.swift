import TidingsRemote

/// One requirement that every transport has to meet, as a function that throws what is wrong.
///
/// ```swift
/// @Test("The memory transport is a transport", arguments: TransportCheck.all)
/// func check(_ check: TransportCheck) async throws { try await check(transport) }
/// ```
///
/// A check that waits for what never comes does not end: give the test a time limit.
public struct TransportCheck: Sendable, CustomStringConvertible {
  /// The claim that the check proves.
  public let description: String
  private let run: @Sendable (TransportUnderTest) async throws -> Void

  init(_ description: String, _ run: @escaping @Sendable (TransportUnderTest) async throws -> Void) {
    (self.description, self.run) = (description, run)
  }

  /// Runs it.
  ///
  /// - Parameter transport: What it is run on.
  /// - Throws: ``TransportViolation``, or what the transport throws.
  public func callAsFunction(_ transport: TransportUnderTest) async throws { try await run(transport) }

  /// All of them.
  public static let all: [TransportCheck] = publishing + storing + claiming + values + relaying
}
