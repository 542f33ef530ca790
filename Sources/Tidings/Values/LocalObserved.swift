/// An ``Observed`` for a single isolation: its value can be assigned and need not be `Sendable`, and it uses no lock and no
/// atomic.
///
/// ```swift
/// let zoom = LocalObserved(1.0, changes: .distinct)
/// let subscription = zoom.observe { change in view.scale(change.new) }
/// zoom.value = 2
/// zoom.value *= 1.5
/// ```
///
/// Handlers are called after the change, in place; for a change that a handler of this value makes, when the current change
/// has reached every handler. As a property wrapper it makes an ordinary property, which `$` in front makes observable.
/// Derived values require ``Observed``.
@dynamicMemberLookup
@propertyWrapper
public final class LocalObserved<Value> {
  private let delivery: LocalDelivery<Change<Value>>
  private lazy var before = LocalDelivery<Change<Value>>(
    EventIdentity(of: delivery.identity, label: delivery.identity.label.map { $0 + ".willChange" }), .serial)
  private var hasBefore: Bool
  private var current: Value
  /// Incremented by every change.
  private var version: Int
  private let changes: ChangePolicy<Value>

  /// Makes a value.
  ///
  /// - Parameters:
  ///   - value: The initial value.
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - changes: Which writes count as a change.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  public init(
    _ value: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    (current, hasBefore, version) = (value, false, 0)
    self.changes = changes
    delivery = LocalDelivery(EventIdentity(label, maximumDepth, file, line), .serial)
  }
  /// Makes a value as a property wrapper: the property reads and assigns the value, `$property` is this object.
  ///
  /// - Parameters:
  ///   - wrappedValue: The initial value.
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - changes: Which writes count as a change.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  @_alwaysEmitIntoClient
  public convenience init(
    wrappedValue: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      wrappedValue, label: label, changes: changes, maximumDepth: maximumDepth, file: file, line: line)
  }
  deinit {
    delivery.clear()
    if hasBefore { before.clear() }
  }

  /// The value. Setting it notifies every handler. A mutation in place (`value.append(x)`) is one change.
  ///
  /// A mutation in place has exclusive access to the value until it ends, as with any stored property. Code that reads this
  /// value meanwhile stops the program, whether or not a handler observes. The body of ``update(_:)`` may read it. If the
  /// mutation throws, what it has done before is kept, and is one change.
  public var value: Value {
    get { current }
    set { set(newValue) }
    _modify {
      // No handler receives the old value, so no copy of it is made.
      if hasNoHandlers {
        defer { version += 1 }
        yield &current
      } else {
        // The same exclusive access, and the same outcome if the mutation throws: a program must not depend on whether a
        // handler observes.
        var other = current
        defer {
          swap(&current, &other)
          set(other)
        }
        yield &current
      }
    }
  }
  /// The value, as the property that this wraps.
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { value }
    set { set(newValue) }
    _modify { yield &value }
  }
  /// This object: `$property`.
  public var projectedValue: LocalObserved<Value> { self }
  private var hasNoHandlers: Bool { delivery.live == 0 && !hasBefore && changes.areEquivalent == nil }

  /// Replaces the value and notifies every handler.
  ///
  /// - Parameter new: The new value.
  /// - Complexity: O(*n*) in the number of handlers.
  public func set(_ new: Value) {
    if let areEquivalent = changes.areEquivalent, areEquivalent(current, new) { return }
    if delivery.rejectsAnother() { return }
    if hasBefore { before.emit(Change(old: current, new: new)) }
    let old = current
    current = new
    version += 1
    delivery.emit(Change(old: old, new: new))
  }

  /// Changes the value through a closure, as one change with the right old and new value.
  ///
  /// `body` works on a copy; `value.append(x)` mutates the value itself if no handler receives the old one.
  ///
  /// - Parameter body: Changes the value. If it throws, nothing is written.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: O(*n*) in the number of handlers, and the cost of `body`.
  @_alwaysEmitIntoClient @discardableResult
  public func update<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    var new = value
    let result = try body(&new)
    set(new)
    return result
  }

  /// A member of the value, to read and to set. Setting it is one change of the value.
  @_alwaysEmitIntoClient
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: keyPath] }
    set { value[keyPath: keyPath] = newValue }
  }

  // MARK: Handlers

  /// Calls the handler with every change, for as long as the subscription is kept.
  ///
  /// - Parameters:
  ///   - handler: Called with each change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), amortized.
  public func observe(
    _ handler: @escaping (Change<Value>) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    delivery.attach(handler, owned: false, CallSite(file: file, line: line))
  }

  /// Calls the handler with the current value, `old` being nil, and then with every change.
  ///
  /// What the handler sets in the first call is delivered when that call returns.
  ///
  /// - Parameters:
  ///   - option: `.initial`.
  ///   - handler: Called with the current value and each change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), amortized, and the first call.
  public func observe(
    _ option: ObserveOption, _ handler: @escaping (Change<Value>) -> Void, file: StaticString = #fileID,
    line: UInt = #line
  ) -> LocalSubscription {
    let site = CallSite(file: file, line: line)
    if CausalFrame.isInComputation { return attachLater(handler, site) }
    return delivery.attach(handler, first: Change(old: nil, new: current), site)
  }

  /// The same in a computation, after which the handler is called first.
  private func attachLater(_ handler: @escaping (Change<Value>) -> Void, _ site: CallSite) -> LocalSubscription {
    var hasBegun = false
    let subscription = delivery.attach({ if hasBegun { handler($0) } }, owned: false, site)
    Context.start(nil) { [weak subscription] _ in
      guard let subscription, subscription.isActive else { return }
      hasBegun = true
      self.delivery.begin(handler, with: Change(old: nil, new: self.current))
    }
    return subscription
  }

  /// Calls the handler with the owner and every change, until the owner is deinitialized.
  ///
  /// The owner is held weakly. The subscription may be dropped.
  ///
  /// - Parameters:
  ///   - owner: Held weakly and passed to the handler, which should not capture it.
  ///   - handler: Called with the owner and each change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription, which may be dropped and can cancel earlier.
  /// - Complexity: O(1), amortized.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject>(
    with owner: Owner, _ handler: @escaping (Owner, Change<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let selfCancellation = LocalSelfCancellation(owner: owner)
    return attach(selfCancellation.handler(owner, handler), selfCancellation, CallSite(file: file, line: line))
  }
  @usableFromInline
  func attach(
    _ handler: @escaping (Change<Value>) -> Void, _ selfCancellation: LocalSelfCancellation, _ site: CallSite
  ) -> LocalSubscription {
    delivery.attach(handler, selfCancellation, site)
  }

  /// Calls the handler with every change before the value is replaced.
  ///
  /// A change that is made during a delivery is delivered after the value has been replaced.
  ///
  /// - Parameters:
  ///   - handler: Called with each change.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The subscription; dropping it cancels.
  /// - Complexity: O(1), amortized.
  public func observeWillChange(
    _ handler: @escaping (Change<Value>) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    hasBefore = true
    return before.attach(handler, owned: false, CallSite(file: file, line: line))
  }

  /// A snapshot of this value for people: label, subscriptions, where they were made, and changes that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnostics: Diagnostics { delivery.diagnostics }
}
