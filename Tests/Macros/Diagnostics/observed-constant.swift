import TidingsMacros

@ObservedProperties final class Volume {
  // error: '@ObservedAs' is for a stored 'var' of an instance: remove it here
  @ObservedAs(.distinct) let level = 1
}
