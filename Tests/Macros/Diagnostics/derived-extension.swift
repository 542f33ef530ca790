import TidingsMacros

@ObservedProperties @MainActor final class Order {
  var count = 1
  // error: reference to property 'double' in closure requires explicit use of 'self' to make capture semantics explicit
  @Derived var total: Int { count + double }
  // error: 'other' reads 'double', which this class does not declare: write '$double.value' if it is observed where it is declared
  @Derived var other: Int { count + self.double }
}

extension Order {
  var double: Int { count * 2 }
  // error: a macro does not see the other properties from an extension: write '@Derived' in the class itself
  @Derived var triple: Int { count * 3 }
  // error: '@ObservedAs' is for a stored 'var' of an instance: remove it here
  @ObservedAs(.distinct) var half: Int { count / 2 }
}
