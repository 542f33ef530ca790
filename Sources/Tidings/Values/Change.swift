/// The value before a change and the value after it.
@frozen
public struct Change<Value> {
  /// The value before; nil when `.initial` delivers the current value.
  public let old: Value?
  /// The value after the change; with `.initial`, the current value.
  public let new: Value

  /// Makes a change.
  ///
  /// - Parameters:
  ///   - old: The value before, or nil if there is none.
  ///   - new: The value after.
  @_alwaysEmitIntoClient
  public init(old: Value?, new: Value) {
    self.old = old
    self.new = new
  }
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
