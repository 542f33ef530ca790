/// The list of handlers that delivers, or the body of a value that computes, and so a possible cause. A frame on the stack of a
/// thread refers to one source.
package class CausalSource {
  final let identity: EventIdentity
  /// For the name of one without a label.
  var kind: StaticString { "event" }

  /// Whether a delivery by this source can continue with others, one after the other, before it ends.
  var canOwnTrampoline: Bool { false }
  /// Makes a source that is delivering on this thread run the trampoline before it ends the delivery.
  func ownTrampoline() {}
  /// Delivers what was left to the trampoline.
  func deliverPostponed(_ here: (any Actor)?) {}

  init(_ identity: consuming EventIdentity) { self.identity = identity }

  /// The name in reports: the label, or else the kind and where it was made.
  @inline(never)
  final var name: String {
    identity.label ?? kind.description + " at " + identity.file.description + ":" + identity.line.description
  }
}
