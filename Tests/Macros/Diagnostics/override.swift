import TidingsMacros

@ObservedProperties class Shape {
  var name = "shape"
}

@ObservedProperties final class Disc: Shape {
  // error: 'name' is stored by the superclass: remove 'override', and observe '$name'
  override var name = "disc"
}
