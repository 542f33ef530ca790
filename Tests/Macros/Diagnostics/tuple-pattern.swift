import TidingsMacros

@ObservedProperties final class Point {
  // error: a tuple pattern cannot be observed: write a 'var' for each of its names
  var (x, y) = (1, 2)
}
