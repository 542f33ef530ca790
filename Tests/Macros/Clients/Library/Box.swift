public import TidingsMacros

/// A generic model of a library.
@ObservedProperties @MainActor public final class Box<Value: Sendable & Equatable> {
  public var value: Value
  public private(set) var history: [Value] = []
  public let name: String
  @Unobserved private var writes = 0
  @Derived public var line: String { "\(name): \(value) after \(history.count)" }

  public init(_ value: Value, name: String) {
    self.name = name
    self.value = value
  }

  public func replace(with new: Value) {
    history.append(value)
    value = new
    writes += 1
  }
}
