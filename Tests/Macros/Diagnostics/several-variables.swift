import TidingsMacros

@ObservedProperties final class Point {
  // error: several variables in one declaration cannot be observed: write a 'var' for each
  var x = 1, y = 2
}
