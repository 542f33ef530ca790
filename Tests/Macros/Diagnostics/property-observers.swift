import TidingsMacros

@ObservedProperties final class Volume {
  // error: 'willSet' and 'didSet' of an observed property would not be called: observe '$level', or write '@Unobserved'
  var level = 1 { didSet { print(level) } }
}
