import Synchronization

/// The version clock of all values.
///
/// A commit is stamped with the moment that the clock shows. It advances the clock first only if a thread that could read the
/// written value is pinned at that very moment. Otherwise no commit writes this word, and each processor keeps its own copy of it.
enum VersionClock {
  private static var word: UnsafeMutablePointer<Atomic<UInt>> {
    @inline(__always) get { clockMemory.assumingMemoryBound(to: Atomic<UInt>.self) }
  }
  /// Never 0, which means "not pinned".
  static var now: UInt { @inline(__always) get { word.pointee.load(ordering: .relaxed) &+ 1 } }

  /// A snapshot later than those of all pins that were announced before.
  @inline(never)
  static func tick() -> UInt { word.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue &+ 1 }
}
