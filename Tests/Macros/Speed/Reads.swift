// Compiled twice by .ci/macros, with and without PLAIN: the instructions of each function are the same.
import TidingsMacros

@ObservedProperties @MainActor public final class Model {
  var quantity = 1
  var price: Double
  init(price: Double) { self.price = price }
}

#if PLAIN
@MainActor public func readFirst(_ model: Model) -> Int { model.$quantity.value }
@MainActor public func readSecond(_ model: Model) -> Double { model.$price.value }
@MainActor public func write(_ model: Model) { model.$quantity.set(7) }
#else
@MainActor public func readFirst(_ model: Model) -> Int { model.quantity }
@MainActor public func readSecond(_ model: Model) -> Double { model.price }
@MainActor public func write(_ model: Model) { model.quantity = 7 }
#endif
