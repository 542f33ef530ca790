import TidingsMacros

@ObservedProperties final class Volume {
  // error: 'level' needs a type or an initial value: write 'var level: Type'
  var level
}
