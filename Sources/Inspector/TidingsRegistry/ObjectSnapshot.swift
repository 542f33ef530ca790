import Tidings

/// The state of a live object at one moment.
package struct ObjectSnapshot: Sendable {
  /// Numbers objects in the order in which they were made; never used again.
  package let number: UInt
  package let kind: ObjectKind
  package let label: String?
  package let file: StaticString
  package let line: UInt
  /// The payload or the value; nil of a stream.
  package let type: Any.Type?

  /// How many values an event has delivered, questions a hook was asked, changes a value has had, values a stream has received.
  package var deliveries: UInt = 0
  /// How many values wait: in an event's queue, in the queues of its handlers' actors, in a stream's buffer.
  package var waiting = 0
  /// How many were dropped by bounded buffers.
  package var dropped = 0
  package var handlers: [HandlerSnapshot] = []

  /// The numbers of the values that a derived value read when it was last computed.
  package var dependencies: [UInt] = []
  /// A derived value that has to be computed or validated before it is read.
  package var isStale = false
  /// A derived value that has been computed, and every observed value.
  package var hasValue = false
  /// From when on the newest value is right, by the version clock of values.
  package var validFrom: UInt = 0
  package var computations = 0
  package var unchangedComputations = 0
  package var computingNanoseconds: Int64 = 0
  package var slowestComputation: Int64 = 0

  /// The number of the event or value that a stream receives from.
  package var source: UInt?
  /// How many consumers of a stream are suspended because there is no value.
  package var suspendedConsumers = 0

  /// The address of its list of handlers, by which `ActivityLog` names causes.
  package var list: ObjectAddress?
  /// The address of the list of a stream's source.
  var sourceList: ObjectAddress?

  init(_ record: ObjectRecord) {
    number = record.number
    kind = record.kind
    label = record.label
    file = record.file
    line = record.line
    type = record.type
  }

  package var name: String { label ?? kind.rawValue + " at " + site }
  package var site: String { file.description + ":" + line.description }
}
