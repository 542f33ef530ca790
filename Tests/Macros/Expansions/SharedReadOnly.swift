@ObservedProperties final class Settings: Sendable {
  private(set) var count = 0
  fileprivate(set) public var volume = 0.5
}
