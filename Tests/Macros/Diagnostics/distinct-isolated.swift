import TidingsMacros

@MainActor struct Tool: @MainActor Equatable {
  var name = ""
}

@ObservedProperties @MainActor final class Order {
  // error: main actor-isolated conformance of 'Tool' to 'Equatable' cannot satisfy conformance requirement for a 'Sendable' type parameter
  @ObservedAs(.distinct) var tool: Tool = Tool()
}
