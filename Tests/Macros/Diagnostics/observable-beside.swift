import Observation
import TidingsMacros

// error: '@Observable' and '@ObservedProperties' both store the properties: write 'Observable' after the name of the class instead of '@Observable'
@Observable @ObservedProperties @MainActor final class Order {
  var count = 1
  @ObservedAs(.distinct) var price = 1
  @Derived var total: Int { count * price }
}
