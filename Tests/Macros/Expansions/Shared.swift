@ObservedProperties final class Settings: Sendable, Codable {
  var name = "Ada"
  @ObservedAs(.distinct) var volume: Double
  let id: Int
}
