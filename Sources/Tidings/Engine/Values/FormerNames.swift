// What the graph of values still calls by a former name; goes with the last use.
typealias Frame = CausalFrame
typealias Origin = EventIdentity
typealias Passage = DeliveryContext
typealias Trash = RetiredObjects
package typealias Parcel = SenderPayload
package typealias Operated = AnyEventSource
package typealias Diagnosis = Diagnostics

extension EventIdentity {
  final func refuse(depth: Int) { reject(depth: depth) }
  final func refuse(_ verb: String) { reject(verb) }
}

extension HandlerList {
  final var diagnosis: Diagnostics { diagnostics }
}

extension Event {
  package var diagnosis: Diagnostics { diagnostics }
}
