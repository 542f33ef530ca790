import TidingsMacros

@ObservedProperties final class Volume {
  // error: '@Derived' is for a computed property that only reads: write '@Derived var name: Type { … }', without 'set', 'async' and 'throws'
  @Derived var level = 1
}
