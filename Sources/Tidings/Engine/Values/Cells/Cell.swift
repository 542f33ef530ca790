import Synchronization

/// A node with the type of its values. `Observed` and `Derived` are made of it.
///
/// The code that every read and every computation runs is inlined into the client, where the type is known.
@frozen @usableFromInline
struct Cell<Value: Sendable>: @unchecked Sendable {  // the graph's lock orders every access to the node
  @usableFromInline let node: NodePointer
  @usableFromInline init(node: NodePointer) { self.node = node }

  @_alwaysEmitIntoClient @inline(__always)
  static var offset: Int {
    let mask = MemoryLayout<Value>.alignment &- 1
    return (MemoryLayout<Version>.size &+ mask) & ~mask
  }
  @_alwaysEmitIntoClient @inline(__always)
  static var words: Int {
    Version.words(isPlain: _isPOD(Value.self), size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
  }
  @_alwaysEmitIntoClient @inline(__always)
  static func value(_ version: VersionPointer) -> UnsafeMutablePointer<Value> {
    (UnsafeMutableRawPointer(version) + offset).assumingMemoryBound(to: Value.self)
  }

  /// A source.
  @_alwaysEmitIntoClient
  init(
    _ value: Value, areEquivalent: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)?, label: String?,
    maximumDepth: Int?, file: StaticString, line: UInt
  ) {
    node = makeSource(Self.values(areEquivalent), label, maximumDepth, file, line)
    let version = firstVersion(of: node)
    Self.value(version).initialize(to: value)
    publishFirst(version, of: node, Value.self)
  }

  /// A derived value.
  @_alwaysEmitIntoClient
  init(
    areEqual: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)?, label: String?, maximumDepth: Int?,
    file: StaticString, line: UInt,
    compute: @escaping (_ base: UnsafeMutableRawPointer?, _ into: UnsafeMutableRawPointer) -> Bool
  ) {
    node = makeDerived(compute, Self.values(areEqual), label, maximumDepth, file, line, Value.self)
  }

  @_alwaysEmitIntoClient
  static func values(
    _ areEqual: ((UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Bool)?
  ) -> Values {
    Values(
      size: offset + MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment, offset: offset,
      destroy: _isPOD(Value.self) ? nil : { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) },
      isQuiet: _isPOD(Value.self) || Value.self == String.self,
      copy: { from, to in
        to.initializeMemory(as: Value.self, to: from.assumingMemoryBound(to: Value.self).pointee)
      },
      swap: { one, other in
        let (one, other) = (one.assumingMemoryBound(to: Value.self), other.assumingMemoryBound(to: Value.self))
        // Do not use `moveInitialize`: it also moves the padding after a value, for which a version has no room.
        let value = one.move()
        one.initialize(to: other.move())
        other.initialize(to: value)
      }, areEqual: areEqual,
      turn: { notified, value, pending in
        let (notified, value) = (
          notified.assumingMemoryBound(to: Value.self), value.assumingMemoryBound(to: Value.self)
        )
        pending.initializeMemory(as: Change<Value>.self, to: Change(old: notified.move(), new: value.pointee))
        notified.initialize(to: value.pointee)
      })
  }
}

// MARK: Without the type

@usableFromInline
func makeSource(
  _ values: Values, _ label: String?, _ maximumDepth: Int?, _ file: StaticString, _ line: UInt
) -> NodePointer {
  let body = Body(
    { _, _ in fatalError("a source is not computed") }, isSource: true, values, label, maximumDepth: maximumDepth, file,
    line)
  let node = Node.make(body)
  if values.areEqual != nil { makeCautious(node) }
  return node
}
/// Makes writes take the careful path. Call under the lock, or when no other thread knows the node yet.
func makeCautious(_ node: NodePointer) {
  node.pointee.flags |= Node.cautious
  node.pointee.isCautious.store(true, ordering: .relaxed)
}
@usableFromInline @inline(never)
func makeDerived(
  _ compute: @escaping (UnsafeMutableRawPointer?, UnsafeMutableRawPointer) -> Bool, _ values: Values, _ label: String?,
  _ maximumDepth: Int?, _ file: StaticString, _ line: UInt, _ type: Any.Type
) -> NodePointer {
  var (number, compute) = (0 as UInt, compute)
  if ObjectObservation.isOn { (number, compute) = ObjectObservation.timed(compute) }
  let node = Node.make(Body(compute, isSource: false, values, label, maximumDepth: maximumDepth, file, line))
  if number != 0 { ObjectObservation.created(node, type, computations: number) }
  return node
}

@usableFromInline
func newVersion(of node: NodePointer, _ context: ContextPointer = Context.current) -> VersionPointer {
  context.pointee.memory.takeVersion(for: node)
}
/// The version for the first value of a node that no other thread knows yet.
@usableFromInline
func firstVersion(of node: NodePointer) -> VersionPointer {
  node.pointee.isInPlace ? home(of: node) : newVersion(of: node)
}
@usableFromInline
func publishFirst(_ version: VersionPointer, of node: NodePointer, _ type: Any.Type) {
  version.pointee.number = 1
  version.pointee.validUntil.store(Version.open, ordering: .relaxed)
  node.pointee.latest = version
  if ObjectObservation.isOn { ObjectObservation.created(node, type, computations: 0) }
}
