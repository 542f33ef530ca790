/// An object to which handlers are bound.
final class Owner: Sendable {}

struct Oops: Error, Equatable {
  var value = 0
}

/// An actor that listens.
actor Listener {
  private(set) var heard: [Int] = []

  func note(_ value: Int) { heard.append(value) }

  func run<Result: Sendable>(_ body: @Sendable (isolated Listener) -> Result) -> Result { body(self) }
}
