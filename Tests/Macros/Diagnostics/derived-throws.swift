import TidingsMacros

@ObservedProperties final class Volume {
  var level = 1
  // error: '@Derived' is for a computed property that only reads: write '@Derived var name: Type { … }', without 'set', 'async' and 'throws'
  @Derived var half: Int {
    get throws { level / 2 }
  }
}
