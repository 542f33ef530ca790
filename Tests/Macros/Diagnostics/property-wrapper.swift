import TidingsMacros

@propertyWrapper struct Clamped { var wrappedValue: Int }

@ObservedProperties final class Volume {
  // error: 'level' has '@Clamped', and a property cannot be wrapped and observed: write '@Unobserved', or remove the wrapper
  @Clamped var level = 1
}
