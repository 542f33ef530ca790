import TidingsMacros

// error: '@ObservedProperties' is for a class or an actor, as copies of a value have no handlers: write 'final class', or put the structure into one 'Observed'
@ObservedProperties struct Point {
  var x = 1
}
