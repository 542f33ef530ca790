/// What a value was and what it is now.
public struct Change<Value> {
  /// The value before; nil when `.initial` tells the value of the moment.
  public let old: Value?
  public let new: Value

  @inlinable
  public init(old: Value?, new: Value) {
    self.old = old
    self.new = new
  }
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
