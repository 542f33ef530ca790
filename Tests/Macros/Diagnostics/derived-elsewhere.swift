import TidingsMacros

final class Volume {
  var level = 1
  // error: '@Derived' is for a class or an actor: write '@ObservedProperties' on it
  @Derived var half: Int { level / 2 }
}
