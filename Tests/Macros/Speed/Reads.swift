// Two functions that .ci/macros compiles with optimisation: their instructions are the same.
import TidingsMacros

@ObservedProperties @MainActor public final class Model {
  public var quantity = 1
  public var price: Double
  public init(price: Double) { self.price = price }
}

@MainActor @_cdecl("read_property") public func readProperty(_ model: UnsafeRawPointer) -> Int { 0 }
