/// The flags of a node are one byte, so two bits mean one thing for a source and another for a derived value:
///
/// | bit | source | derived value |
/// |---:|---|---|
/// | 1 | | `stale` |
/// | 2 | | `watched` |
/// | 4 | | `queued` |
/// | 8 | `retired` | `retired` |
/// | 16 | `rejected` | |
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
  /// A change of it was rejected since it was last changed by no handler.
  static let rejected: UInt8 = 16
  /// It has versions that only pins may ask for.
  static let aged: UInt8 = 32
  /// It has replicas, or is one. All of them are written together.
  static let replicated: UInt8 = 64
  /// Stale, though its newest version is right at the snapshot for which it was published, perhaps that of now.
  static let lagging: UInt8 = 64
  /// Writing it always asks more than putting a value in.
  static let cautious: UInt8 = 128
  /// Its links can neither validate it nor revalidate that it is unchanged, so it is recomputed at the next look: they do not name
  /// everything that its closure read, or it has kept its value in a cycle.
  static let incomplete: UInt8 = 128

  func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
  /// A derived value has another meaning for the bit.
  var isReplicated: Bool { isSource && has(Node.replicated) }
}
