import Synchronization

/// The handlers of one value, as the engine sees them. Changes are accepted in one order, under a lock of the engine, and delivered
/// later, outside of all locks. `HandlerList` of the core has both already: `claim(orQueue:)` and `deliverRest`.
protocol ChangeDelivery: AnyObject, Sendable {
  /// Whether no handler is left. Called under a lock of the engine, like `accept`: neither runs user code.
  var isEmpty: Bool { get }
  /// Takes a change up, after those that were accepted before.
  func accept(_ old: UnsafePointer<UInt>, _ new: UnsafePointer<UInt>) -> Acceptance
  /// Calls the handlers with each change that was accepted, until none waits. For the caller that has the claim.
  func deliver()
}
enum Acceptance {
  /// No other call was delivering: the caller has the claim, and is to call `deliver`.
  case claimed
  /// The call that has the claim delivers the change as well.
  case queued
}

/// A node's handlers and, for a computed node, the version that they were notified of last. Made with the first handler, and kept
/// until the node is destroyed. It counts only while the node has the flag `isWatched`.
final class Watch: @unchecked Sendable {  // `notified` is accessed under the publication lock of the node
  /// The claim to call the handlers. It has a reference to the watch, because the node may be destroyed meanwhile.
  typealias Delivery = Unmanaged<Watch>
  struct Notified: BitwiseCopyable {
    /// A box in it has a reference.
    var words = WordBuffer()
    /// The number of the version.
    var number: UInt = 0
    /// The value is no version, but a result that was right for one pin alone, when `number` was the newest version. The thread that
    /// had it still has the node in its queue.
    var isPrivate = false
    /// Increases with each change of which the handlers are notified.
    var count: UInt = 0
  }

  let delivery: any ChangeDelivery
  @exclusivity(unchecked) var notified = Notified()

  init(_ delivery: any ChangeDelivery) { self.delivery = delivery }
}

extension NodePointer {
  /// The watch of the node; nil before its first handler.
  var watch: Unmanaged<Watch>? {
    UnsafeRawPointer(bitPattern: pointee.watch.load(ordering: .acquiring)).map { .fromOpaque($0) }
  }
  /// The watch of the node, or else the new one, to which the node takes a reference. Under the lock of `isWatched`.
  func watch(orKeep new: Watch) -> Watch {
    if let watch { return watch.takeUnretainedValue() }
    // The watch is complete before its address is visible.
    pointee.watch.store(UInt(bitPattern: Unmanaged.passRetained(new).toOpaque()), ordering: .releasing)
    return new
  }
}

extension ContextPointer {
  /// Gives the change of a source to its handlers. Under the source's lock, before the new value is stored. Returns the claim if the
  /// caller is to deliver.
  @inline(never)
  func acceptChange(of node: NodePointer, to words: UnsafeMutablePointer<UInt>) -> Watch.Delivery? {
    let watch = node.watch.unsafelyUnwrapped
    return watch._withUnsafeGuaranteedRef { watch in
      if watch.delivery.isEmpty {
        // The token of a handler does not keep a source. So the first commit after the last handler ends the watch.
        node.remove(Node.isWatched)
        return nil
      }
      var old = currentWords(of: node)
      let acceptance = old.withWords { watch.delivery.accept($0, words) }
      if case .claimed = acceptance { return Unmanaged.passRetained(watch) }
      return nil
    }
  }
}
