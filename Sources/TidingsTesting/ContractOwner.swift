/// An object to which a check binds a handler.
public final class ContractOwner: Sendable {
  private let canary: Canary

  init(_ canaries: Canaries) { canary = canaries.make() }
}
