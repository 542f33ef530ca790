import Tidings

/// The registry's record of a live object.
struct ObjectRecord: Sendable {
  /// How its state is found.
  enum Look: Sendable {
    case list(HandlerList)
    case node(ComputationRecord?)
    case stream(source: ObjectAddress, ObjectObservation.StreamLook)
  }

  let number: UInt
  let kind: ObjectKind
  let label: String?
  let file: StaticString
  let line: UInt
  let type: Any.Type?
  let look: Look
}

/// A kind of object, as users know it.
package enum ObjectKind: String, Sendable, CaseIterable {
  case event, hook, observed, derived, effect, stream
}

/// Something that the library rejected.
package struct RejectionRecord: Sendable {
  package let message: String
  /// One round of the cycle, by label, the rejected one last.
  package let labels: [String]
  package let time: ContinuousClock.Instant
}
