import Synchronization

extension Cell {
  /// The value. A computation that needs nothing special reads it without a call of the engine.
  /// bench: deep 1000, −43 % instructions
  ///
  /// Not inlined, so each type of value, and each unspecialised reader of one, has one copy of 1 KB.
  @_alwaysEmitIntoClient @inline(never)
  var value: Value {
    guard takesFastPaths, let context = Context.currentIfAny, context.pointee.seen.quick != 0 else {
      return valueOutside
    }
    guard node.pointee.graph.load(ordering: .acquiring) == context.pointee.seen.graph, context.pointee.hasCapacity,
      let version = version(of: node, at: context.pointee.seen.quick)
    else {
      return valueUnknown(context)
    }
    context.pointee.noteQuickly(node, version.pointee.number)
    return Self.value(version).pointee
  }
  @_alwaysEmitIntoClient
  var valueOutside: Value {
    @inline(__always) get {
      if takesFastPaths, Self.words != 0, Context.currentIfAny.map({ $0.pointee.isPlain }) ?? true,
        let value = valueAtHome
      {
        return value
      }
      return valueElsewhere()
    }
  }
  /// The newest value, read without the lock outside computations and transactions. Nil unless it is in the home version, nothing
  /// has invalidated it, and it was not written meanwhile. bench: read a value, −77 % instructions
  @_alwaysEmitIntoClient
  var valueAtHome: Value? {
    @inline(__always) get { atHome { value, _ in value } }
  }
  /// The result of `look` for that value and the home version, whose number `look` may read.
  @_alwaysEmitIntoClient @inline(__always)
  func atHome<R>(_ look: (Value, VersionPointer) -> R) -> R? {
    if Self.words == 0 { return nil }
    let sequence = node.pointee.sequence.load(ordering: .acquiring)
    let version = home(of: node)
    guard sequence & 1 == 0, version.pointee.validUntil.load(ordering: .relaxed) == Version.open else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: Self.words &* Version.word, alignment: 16) { buffer -> R? in
      let buffer = buffer.baseAddress.unsafelyUnwrapped
      let words = Version.words(of: version)
      for index in 0..<Self.words {
        buffer.storeBytes(of: words[index].load(ordering: .relaxed), toByteOffset: index &* Version.word, as: UInt.self)
      }
      let found = look(buffer.assumingMemoryBound(to: Value.self).pointee, version)
      atomicMemoryFence(ordering: .acquiring)
      return node.pointee.sequence.load(ordering: .relaxed) == sequence ? found : nil
    }
  }
}
