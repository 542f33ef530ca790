/// An ``Observed`` for one isolation: its value can be set by assignment and need not be `Sendable`, and there is no
/// lock and no atomic.
///
/// ```swift
/// let zoom = LocalObserved(1.0, changes: .distinct)
/// let subscription = zoom.observe { change in view.scale(change.new) }
/// zoom.value = 2
/// zoom.value *= 1.5
/// ```
///
/// Handlers are told after the change, in place; from a handler of this value, when the current change has reached them
/// all. As a property wrapper it makes an ordinary property, with `$` in front to observe it. What is derived stands on
/// ``Observed``.
@dynamicMemberLookup
@propertyWrapper
public final class LocalObserved<Value> {
  private let delivery: LocalDelivery<Change<Value>>
  private lazy var before = LocalDelivery<Change<Value>>(
    delivery.label.map { $0 + ".willChange" }, .serial, delivery.queuedLimit, delivery.file, delivery.line)
  private var hasBefore = false
  private var current: Value
  /// Goes up with every change.
  private var version = 0
  private let changes: ChangePolicy<Value>

  /// - Parameters:
  ///   - value: What it is first.
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - changes: Which settings count as a change.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a circle and is refused with a
  ///     report. 10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
  ///   - line: The line there.
  public init(
    _ value: Value, label: String? = nil, changes: ChangePolicy<Value> = .every, maximumDepth: Int? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    current = value
    self.changes = changes
    delivery = LocalDelivery(label, .serial, maximumDepth, file, line)
  }
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

  /// The value. Setting it notifies every handler; changed in place (`value.append(x)`) it is one change.
  ///
  /// A change in place has exclusive access to the value until it ends, as with any stored property: code that reads this value
  /// meanwhile stops the program, whether or not a handler observes. The body of ``update(_:)`` may read it. What a change in
  /// place has done before it throws is kept, and is one change.
  public var value: Value {
    get { current }
    set { set(newValue) }
    _modify {
      // Nobody to be told of the old value: no copy of it is made.
      if isUnheard {
        defer { version += 1 }
        yield &current
      } else {
        // The same exclusive access, and the same outcome where the change throws: a program must not depend on whether
        // somebody observes.
        var other = current
        defer {
          swap(&current, &other)
          set(other)
        }
        yield &current
      }
    }
  }
  @_alwaysEmitIntoClient
  public var wrappedValue: Value {
    get { value }
    set { set(newValue) }
    _modify { yield &value }
  }
  public var projectedValue: LocalObserved<Value> { self }
  private var isUnheard: Bool { delivery.live == 0 && !hasBefore && changes.areEquivalent == nil }

  /// Makes `new` the value, and tells every handler.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public func set(_ new: Value) {
    if let areEquivalent = changes.areEquivalent, areEquivalent(current, new) { return }
    if delivery.refusesAnother() { return }
    if hasBefore { before.emit(Change(old: current, new: new)) }
    let old = current
    current = new
    version += 1
    delivery.emit(Change(old: old, new: new))
  }

  /// Changes the value: one change, with the right old and new, however much of it `body` changes. If it throws,
  /// nothing is written. It works on a copy; `value.append(x)` changes the value itself where nobody hears of the old one.
  @_alwaysEmitIntoClient @discardableResult
  public func update<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    var new = value
    let result = try body(&new)
    set(new)
    return result
  }

  /// A member of the value, to read and to set: setting it is one change of the value.
  @_alwaysEmitIntoClient
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Member {
    get { value[keyPath: keyPath] }
    set { value[keyPath: keyPath] = newValue }
  }

  // MARK: Handlers

  /// Calls the handler with every change, for as long as the subscription is kept.
  ///
  /// - Complexity: O(1), amortised.
  public func observe(
    _ handler: @escaping (Change<Value>) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    delivery.attach(handler, owned: false, CallSite(file: file, line: line))
  }

  /// Calls the handler with the value of this moment, `old` being nil, and then with every change. What the handler sets in
  /// that call is delivered when it returns.
  public func observe(
    _ option: ObserveOption, _ handler: @escaping (Change<Value>) -> Void, file: StaticString = #fileID,
    line: UInt = #line
  ) -> LocalSubscription {
    delivery.attach(handler, first: Change(old: nil, new: current), CallSite(file: file, line: line))
  }

  /// Calls the handler with the owner and every change, until the owner, which is held weakly, is gone. The
  /// subscription may be dropped.
  @_alwaysEmitIntoClient @discardableResult
  public func observe<Owner: AnyObject>(
    with owner: Owner, _ handler: @escaping (Owner, Change<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    let ending = LocalEnding(owner: owner)
    return attach(
      { [weak owner] change in
        if let owner { handler(owner, change) } else { ending.cancel() }
      }, ending, CallSite(file: file, line: line))
  }
  @usableFromInline
  func attach(
    _ handler: @escaping (Change<Value>) -> Void, _ ending: LocalEnding, _ site: CallSite
  ) -> LocalSubscription {
    delivery.attach(handler, ending, site)
  }

  /// Calls the handler with every change before the value is replaced; with one that is set meanwhile, when it has
  /// been.
  public func observeWillChange(
    _ handler: @escaping (Change<Value>) -> Void, file: StaticString = #fileID, line: UInt = #line
  ) -> LocalSubscription {
    hasBefore = true
    return before.attach(handler, owned: false, CallSite(file: file, line: line))
  }

  /// What this value looks like now: label, subscriptions and where they were made, changes that wait.
  public var diagnosis: Diagnosis { delivery.diagnosis }
}
