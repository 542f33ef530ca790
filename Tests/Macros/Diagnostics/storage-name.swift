import TidingsMacros

struct Tool: Sendable {}

@ObservedProperties @MainActor final class Order {
  var tool: Tool = Tool()
  // error: '_tool' is where 'tool' is stored: write another name
  @Unobserved var _tool = 1
  private(set) var fills = 1
  // error: 'total' reads '_fills', where 'fills' is stored: write 'fills'
  @Derived var total: Int { _fills.value }
}
