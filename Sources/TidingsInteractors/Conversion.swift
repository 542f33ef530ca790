/// Makes one value of another, and back.
///
/// ```swift
/// let celsius = Conversion<Double, Double>(to: { $0 - 273.15 }, from: { $0 + 273.15 })
/// ```
///
/// Neither way need undo the other: a conversion may round. Either may throw: then nothing is written.
public struct Conversion<A: Sendable, B: Sendable>: Sendable {
  let to: @Sendable (A) throws -> B
  let from: @Sendable (B) throws -> A

  public init(to: @escaping @Sendable (A) throws -> B, from: @escaping @Sendable (B) throws -> A) {
    self.to = to
    self.from = from
  }

  /// The other way round.
  public var inverted: Conversion<B, A> { Conversion<B, A>(to: from, from: to) }
}

extension Conversion where B == String {
  /// The text that a format writes, and what it reads.
  public init(_ format: some TextFormat<A>) {
    self.init(to: { format.format($0) }, from: { try format.parse($0) })
  }
}
