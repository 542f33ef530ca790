import TidingsMacros

@ObservedProperties final class Settings: Codable {
  var count = 0
  // error: 'cache' is not observed, so it is not coded: write an initial value, or 'init(from:)' and 'encode(to:)'
  @Unobserved var cache: [Int]

  init() { cache = [] }
}
