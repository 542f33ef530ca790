/// The flags of a node are one byte, so bits 16, 64 and 128 have different meanings for sources and derived values:
///
/// | bit | source | derived value |
/// |---:|---|---|
/// | 1 | | `stale` |
/// | 2 | | `watched` |
/// | 4 | | `queued` |
/// | 8 | `retired` | `retired` |
/// | 16 | `rejected` | `mayBeFinal` |
/// | 32 | `aged` | `aged` |
/// | 64 | `replicated` | `lagging` |
/// | 128 | `cautious` | `incomplete` |
extension Node {
  /// Something that it depends on was written since it was last validated.
  static let stale: UInt8 = 1
  /// It has handlers: it is validated and compared after each write, without being read.
  static let watched: UInt8 = 2
  /// It is among the notifications of a thread. It is not added a second time.
  static let queued: UInt8 = 4
  /// Nothing refers to it any more.
  static let retired: UInt8 = 8
  /// A change of it was rejected as a cycle. A change that no handler caused clears the flag.
  static let rejected: UInt8 = 16
  /// Something that it read has become final, or it read nothing. Its next publication or notification decides what follows.
  static let mayBeFinal: UInt8 = 16
  /// It is among the aged nodes of its graph: it may have versions before the newest, which only pins read.
  static let aged: UInt8 = 32
  /// It has replicas, or is one. All of them are written together.
  static let replicated: UInt8 = 64
  /// It is stale, but its newest version is right at the snapshot for which it was published, which may be the current one.
  static let lagging: UInt8 = 64
  /// Every write of it needs more than storing the value: it has a policy or handlers of `willChange`.
  static let cautious: UInt8 = 128
  /// It is recomputed at the next look, because its links cannot validate it. Either they do not name everything that its closure
  /// read, or it has kept its value in a cycle.
  static let incomplete: UInt8 = 128

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
  /// The bit has a different meaning for a derived value.
  var isReplicated: Bool { isSource && has(Node.replicated) }
}
