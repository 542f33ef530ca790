import TidingsMacros

@ObservedProperties @MainActor final class Order {
  var count = 1
  // error: a macro does not see which part of '#if' is compiled: write '@Derived' outside, and the '#if' in its body
  #if DEBUG
  @Derived var total: Int { count }
  #else
  #if os(Linux)
  @Derived var total: Int { count + 1 }
  #endif
  #endif
}
