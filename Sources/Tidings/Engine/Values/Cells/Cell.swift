import Synchronization

/// A node, seen with its type: what `Observed` and `Derived` are made of.
///
/// What is on the way of every read and every computation is inlined into the client, where the type is known.
@usableFromInline
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

  // MARK: Making

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
        // Not `moveInitialize`: that moves the padding after a value as well, for which a version has no room.
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

  // MARK: Writing

  @_alwaysEmitIntoClient @inline(__always)
  func set(_ new: Value, _ here: (any Actor)?, _ owner: AnyObject) {
    let context = Context.current
    if !takesFastPaths || node.pointee.isCautious.load(ordering: .relaxed) || context.pointee.seen.snapshot != 0
      || context.pointee.seen.needsCare
    {
      return setElsewhere(new, here, owner)
    }
    let fresh = Self.words != 0 ? context.pointee.scratch : newVersion(of: node, context)
    Self.value(fresh).initialize(to: new)
    let commit = commitNow(fresh, to: node, context, here)
    finish(commit, new, fresh, context, here)
  }

  /// In a transaction where the type is known, as in unspecialised code a set took twice as long.
  @_alwaysEmitIntoClient @inline(never)
  func setElsewhere(_ new: Value, _ here: (any Actor)?, _ owner: AnyObject) {
    guard let write = transactionalWrite(to: node, owner) else { return setWithCare(new, here, owner) }
    Self.value(write.fresh).initialize(to: new)
    write.note()
  }

  /// The first attempt of an update of plain bits, without a lock around the read, where the type is known: in unspecialised code an
  /// update took five times as long. All others, and those that another thread overtakes, are made with care.
  @_alwaysEmitIntoClient @inline(__always)
  func update<R, E: Error>(
    _ body: @escaping (inout Value) throws(E) -> R, _ here: (any Actor)?, _ owner: AnyObject
  ) throws(E) -> R {
    let context = Context.current
    guard takesFastPaths, Self.words != 0, !node.pointee.isCautious.load(ordering: .relaxed),
      context.pointee.seen.snapshot == 0,
      !context.pointee.seen.needsCare, let (old, number) = atHome({ ($0, $1.pointee.number) })
    else { return try updateWithCare(body, here, owner, isAgain: false) }
    var new = old
    let result = try body(&new)
    let fresh = context.pointee.scratch
    Self.value(fresh).initialize(to: new)
    let commit = commitUpdate(fresh, to: node, of: number, context)
    if commit.hasMoved { return try updateWithCare(body, here, owner, isAgain: true) }
    finish(commit, new, fresh, context, here)
    return result
  }

  @_alwaysEmitIntoClient @inline(__always)
  func finish(
    _ commit: Commit, _ new: Value, _ fresh: VersionPointer, _ context: ContextPointer, _ here: (any Actor)?
  ) {
    if commit.isDone {
      if let old = commit.old {
        if let claim = commit.claim {
          let change = Change<Value>(old: Self.value(old).move(), new: new)
          takeBack(old, of: node, context)
          context.pointee.seen.notifying &+= 1
          notify(change, claim, here)
          context.pointee.seen.notifying &-= 1
        } else {
          let value = Self.value(old).move()
          takeBack(old, of: node, context)
          _ = consume value
        }
      }
    } else {
      let value = Self.value(fresh).move()
      takeBack(fresh, of: node, context)
      _ = consume value
    }
    // A handler may have left notifications to the outermost notification.
    if commit.hasMore || commit.claim != nil { finishCommit(commit, of: node, context, here) }
  }

  @usableFromInline
  func notify(_ change: Change<Value>, _ claim: Claim, _ here: (any Actor)?) {
    // Non-nil: the caller holds a claim and retains the value, which owns the list.
    Unmanaged<ValueDelivery<Value>>.fromOpaque(node.pointee.list.unsafelyUnwrapped.toOpaque())
      ._withUnsafeGuaranteedRef { $0.deliver(change, DeliveryContext(here: here, counter: nil), claim) }
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
/// Under the lock, or when no other thread knows the node yet.
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
  context.pointee.takeVersion(for: node)
}
/// No other thread knows the node yet.
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
