import TidingsMacros

final class Volume {
  // error: '@ObservedAs' is for a class or an actor: write '@ObservedProperties' on it
  @ObservedAs(.distinct) var level = 1
}
