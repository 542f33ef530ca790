import TidingsMacros

@ObservedProperties final class Child {
  // error: 'parent' would be held strongly by what observes it: write '@Unobserved', or a 'var' of a type that holds its object weakly
  weak var parent: Child?
}
