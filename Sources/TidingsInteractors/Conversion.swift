/// Converts values of one type to another, and back.
///
/// ```swift
/// let celsius = Conversion<Double, Double>(to: { $0 - 273.15 }, from: { $0 + 273.15 })
/// ```
///
/// Neither direction need be the inverse of the other: a conversion may round. Either may throw; then nothing is written.
public struct Conversion<A: Sendable, B: Sendable>: Sendable {
  let to: @Sendable (A) throws -> B
  let from: @Sendable (B) throws -> A

  /// Makes a conversion of two closures.
  ///
  /// - Parameters:
  ///   - to: Converts forward, or throws.
  ///   - from: Converts back, or throws.
  public init(to: @escaping @Sendable (A) throws -> B, from: @escaping @Sendable (B) throws -> A) {
    self.to = to
    self.from = from
  }

  /// The conversion in the opposite direction.
  public var inverted: Conversion<B, A> { Conversion<B, A>(to: from, from: to) }
}

extension Conversion where B == String {
  /// Converts a value to the text that a format writes, and parses the text.
  ///
  /// - Parameter format: Writes and parses.
  public init(_ format: some TextFormat<A>) {
    self.init(to: { format.format($0) }, from: { try format.parse($0) })
  }
}
