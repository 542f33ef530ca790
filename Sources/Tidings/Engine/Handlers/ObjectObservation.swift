import Synchronization

/// Identifies an object to the observer: its address, which may be used again after the object was destroyed.
package typealias ObjectAddress = UInt

/// Reports the engine's objects to the one observer that a process may have: their creation and destruction, the calls of their
/// handlers, and rejections.
///
/// The observer belongs to the products that show or export the activity of a program, and is compiled there. It is a set of
/// closures and not a protocol, and what it is given are plain values: each type and each requirement that other modules can see
/// adds to every client. Objects that were made before it was installed are unknown to it. While none is installed, making an
/// object, destroying it and adding a handler cost one load each.
package enum ObjectObservation {
  /// An event, or a hook, was made, with a payload of this type. The observer may retain the list until it is destroyed.
  package typealias ListCreated =
    @Sendable (
      _ list: HandlerList, _ isHook: Bool, _ payload: Any.Type, _ label: String?, _ file: StaticString, _ line: UInt
    ) -> Void
  /// A value was made. Its node may be looked at until the call that reports its destruction returns. `computations` is the
  /// number that the observer gave to the computations of a derived value; 0 for an observed value.
  package typealias NodeCreated =
    @Sendable (
      _ node: ObjectAddress, _ value: Any.Type, _ computations: UInt, _ label: String?, _ file: StaticString,
      _ line: UInt
    ) -> Void
  /// A stream was made, which the subscription fills. The subscription is not to be retained: dropping it ends the stream.
  /// `look` returns how many values it has received, how many wait in the fullest buffer, how many were dropped, and how many
  /// consumers are suspended because there is no value.
  package typealias StreamCreated =
    @Sendable (
      _ stream: ObjectAddress, _ subscription: Subscription, _ source: HandlerList, _ sourceName: String,
      _ look: @escaping StreamLook
    ) -> Void
  package typealias StreamLook = @Sendable () -> (received: Int, waiting: Int, dropped: Int, suspended: Int)
  /// An object is about to be destroyed. Also called for those that were made before the observer was installed.
  package typealias Destroyed = @Sendable (_ object: ObjectAddress) -> Void
  /// A handler is about to be added. The closure that is returned times each of its calls; that of a stream is not used. The time
  /// of a handler after operators includes theirs, and of one on another actor then is that of queueing the value. Handlers of
  /// local events are not timed.
  package typealias HandlerAdded =
    @Sendable (
      _ subscription: Subscription, _ source: HandlerList, _ file: StaticString, _ line: UInt
    ) -> CallTimer
  /// Given 0 when a call begins, it returns the start of the call, which is not 0. It is given that when the call is over: for a
  /// hook on whatever thread that is, and the wait for the handler's actor belongs to the call.
  package typealias CallTimer = @Sendable (_ start: UInt64) -> UInt64
  /// A derived value is about to be made: returns a number for its computations, and a closure that runs each of them. A
  /// computation returns whether its result differs from the value before.
  package typealias ComputationsAdded = @Sendable () -> (number: UInt, timer: ComputationTimer)
  package typealias ComputationTimer = @Sendable (_ computation: () -> Bool) -> Bool
  /// A cycle, or something else that was rejected. Called before the handlers of `Diagnostics.reports`.
  package typealias Rejected = @Sendable (_ report: Diagnostics.Report) -> Void

  /// A class: copying seven closures is code of every client.
  final class Observer: Sendable {
    let listCreated: ListCreated
    let nodeCreated: NodeCreated
    let streamCreated: StreamCreated
    let destroyed: Destroyed
    let handlerAdded: HandlerAdded
    let computationsAdded: ComputationsAdded
    let rejected: Rejected

    init(
      _ listCreated: @escaping ListCreated, _ nodeCreated: @escaping NodeCreated,
      _ streamCreated: @escaping StreamCreated, _ destroyed: @escaping Destroyed,
      _ handlerAdded: @escaping HandlerAdded, _ computationsAdded: @escaping ComputationsAdded,
      _ rejected: @escaping Rejected
    ) {
      self.listCreated = listCreated
      self.nodeCreated = nodeCreated
      self.streamCreated = streamCreated
      self.destroyed = destroyed
      self.handlerAdded = handlerAdded
      self.computationsAdded = computationsAdded
      self.rejected = rejected
    }
  }
  /// Never installed in the interleaving explorer, to which these loads are no steps.
  private static let installation = Synchronization.Atomic<UInt>(0)
  private static let installing: UInt = 1
  private static let isInstalled: UInt = 2
  /// Written once, before `installation` says that it is there.
  nonisolated(unsafe) private static var installed: Observer?

  /// Installs the observer for the rest of the process. Returns false, and does nothing, when there is one already.
  ///
  /// Its closures may be called from any thread, and never under a lock of the engine: each may take a lock of the observer, and
  /// under it `HandlerList.look` and `lookAtNode`. None may emit, or set or read values.
  package static func install(
    listCreated: @escaping ListCreated, nodeCreated: @escaping NodeCreated, streamCreated: @escaping StreamCreated,
    destroyed: @escaping Destroyed, handlerAdded: @escaping HandlerAdded,
    computationsAdded: @escaping ComputationsAdded, rejected: @escaping Rejected
  ) -> Bool {
    guard installation.compareExchange(expected: 0, desired: installing, ordering: .acquiring).exchanged else {
      return false
    }
    installed = Observer(
      listCreated, nodeCreated, streamCreated, destroyed, handlerAdded, computationsAdded, rejected)
    installation.store(isInstalled, ordering: .releasing)
    return true
  }

  @inline(__always)
  static var isOn: Bool { installation.load(ordering: .acquiring) == isInstalled }
  /// Requires that an observer is installed; the caller has checked `isOn`.
  @inline(__always)
  static var observer: Observer { installed.unsafelyUnwrapped }

  // MARK: What the engine calls

  @inline(__always)
  static func created(_ list: HandlerList, isHook: Bool, payload: Any.Type) {
    if isOn { created(list, isHook, payload) }
  }
  @inline(never)
  private static func created(_ list: HandlerList, _ isHook: Bool, _ payload: Any.Type) {
    observer.listCreated(list, isHook, payload, list.identity.label, list.identity.file, list.identity.line)
  }
  @inline(__always)
  static func destroyed(_ object: AnyObject) { if isOn { destroyed(at: address(of: object)) } }
  @inline(never)
  static func destroyed(at address: ObjectAddress) { if isOn { observer.destroyed(address) } }
  @inline(never)
  static func timer(of subscription: Subscription, _ site: CallSite) -> CallTimer {
    observer.handlerAdded(subscription, subscription.registration.list, site.file, site.line)
  }

  @inline(__always)
  private static func address(of object: AnyObject) -> ObjectAddress {
    ObjectAddress(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }
  static func streamCreated(_ stream: AnyObject, _ subscription: Subscription, _ look: @escaping StreamLook) {
    let list = subscription.registration.list
    observer.streamCreated(address(of: stream), subscription, list, list.name, look)
  }

  // MARK: What an observer asks

  /// The address of the list whose delivery on this thread caused the one of `list`, which is under way; 0 when there is none.
  package static func cause(of list: ObjectAddress) -> ObjectAddress {
    ObjectAddress(bitPattern: CausalFrame.source(around: UnsafeRawPointer(bitPattern: list)))
  }
}
