/// An actor that keeps what it receives.
package actor Listener {
  package private(set) var received: [Int] = []

  package init() {}

  package func note(_ value: Int) { received.append(value) }

  package func run<Result: Sendable>(_ body: @Sendable (isolated Listener) -> Result) -> Result { body(self) }
}
