// Writes of a source, except for the fast paths and for those in `Cell+Care`.
extension Cell {
  /// Sets the value in a transaction, in code that knows the type: in unspecialised code a `set` took twice as long.
  @_alwaysEmitIntoClient @inline(never)
  func setElsewhere(_ new: Value, _ here: (any Actor)?, _ owner: AnyObject) {
    guard let write = transactionalWrite(to: node, owner) else { return setWithCare(new, here, owner) }
    Self.value(write.fresh).initialize(to: new)
    write.note()
  }

  /// Finishes a commit, in code that knows the type. It notifies the source's own handlers, destroys the value that was replaced or
  /// rejected, and begins the work that the commit has left.
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
