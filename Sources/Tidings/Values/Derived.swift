/// A value that is computed from others and notifies its handlers when it changes.
///
/// ```swift
/// let total = Derived { Double(quantity.value) * price.value }
/// print(total.value)
/// let subscription = total.observe { change in print(change.new) }
/// ```
///
/// **Dependencies.** The values that the closure reads are its dependencies. They are tracked dynamically, in each
/// computation: a branch that is not taken adds no dependency, and a value that is read later is not revalidated unless
/// those read before it are unchanged. The closure only reads. It may run on any thread and more than once, and must return
/// the same value for the same reads. A write or an `emit` in it is rejected with a report. Reads that the closure leaves to
/// another thread or task are not tracked, and neither are those of an `@Observable` model.
///
/// **Computation.** It is computed lazily: by a read, or for a handler from the moment at which the handler is added. The
/// result is memoized, and recomputed only when a dependency has changed, at most once per change. It is glitch-free: all
/// values that a closure reads, also through other derived values, are of one moment, whatever other threads write
/// meanwhile. Threads that read simultaneously may each compute; one result is kept. While a closure runs, the versions that
/// it may still read are retained for it although other threads replace them; every other version is released when it is
/// replaced.
///
/// **Handlers.** An `Equatable` value notifies its handlers when it differs from the last one, any other whenever it was
/// recomputed. Handlers receive an unbroken chain. They are called after the handlers of all sources that changed, including
/// sources that handlers have set meanwhile.
///
/// **Lifetime.** A derived value lives as long as a reference to it, a handler of it or a value derived from it. It retains
/// what its closure captured. When everything that its last computation has read has ended, it can never change again: its
/// handlers receive the last change, and then its subscriptions and streams end. It can still be read. A value whose closure
/// captures an `Observed` that it reads retains it, and does not end.
///
/// **Stack.** A closure that reads a stale derived value waits, within its own computation, until that value is computed. So
/// a chain whose closures find out while they run that they need the previous link is computed recursively. On the smallest
/// stack in wide use (512 KB) 500 links are safe, in a debug build 150. This happens on a first read, and when a value has
/// changed that each closure reads *before* the previous link (`flag.value ? 0 : previous.value + 1`), because what is read
/// first decides whether the rest is needed. A chain whose links read the previous link first
/// (`previous.value + offset.value`), or that is read from its beginning, is validated without recursion, however long it
/// is. A recursion that comes near the end of its thread's stack stops the program with a message that names the values.
@dynamicMemberLookup
public final class Derived<Value: Sendable>: ValueSource {
  @usableFromInline let cell: Cell<Value>

  /// The one initializer that stores something: with library evolution, the code of a client may only call it.
  @usableFromInline
  init(cell: Cell<Value>) { self.cell = cell }

  /// Makes a derived value. Nothing is computed until it is read or observed.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the value, and reads the values that it depends on.
  @_alwaysEmitIntoClient
  public convenience init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () -> Value
  ) where Value: Equatable {
    self.init(cell: Cell(label: label, maximumDepth: maximumDepth, file: file, line: line, compute))
  }

  /// Makes a derived value of a type that is not statically known to be `Equatable`.
  ///
  /// If the type is `Equatable`, values are compared. Two values of an existential type (`any Sendable`) always count as
  /// different.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the value, and reads the values that it depends on.
  @_alwaysEmitIntoClient @_disfavoredOverload
  public convenience init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () -> Value
  ) {
    self.init(cell: Cell(anything: label, maximumDepth: maximumDepth, file: file, line: line, compute))
  }

  /// Makes a derived value with a policy of its own: which results count as a change.
  ///
  /// ```swift
  /// let nearby = Derived(changes: .by { $0.distance(to: $1) < 10 }) { path.value.last ?? home.value }
  /// let person = Derived(changes: .every) { selected.value }   // a type whose `==` compares only the number
  /// ```
  ///
  /// For a type whose `==` says less, or more, than what counts. A result that is equivalent to the one before is dropped: the value
  /// keeps the older one, and neither handlers nor derived values are notified.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - changes: Which results count as a change. With `.every`, each computation, which runs when a dependency has changed.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the value, and reads the values that it depends on.
  @_alwaysEmitIntoClient
  public convenience init(
    _ label: String? = nil, changes: ChangePolicy<Value>, maximumDepth: Int? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ compute: @escaping @Sendable () -> Value
  ) {
    self.init(
      cell: Cell(changes.untyped, label: label, maximumDepth: maximumDepth, file: file, line: line) { _ in compute() })
  }

  /// Makes a derived value whose closure gets the previous result.
  ///
  /// ```swift
  /// let highest = Derived(previous: 0) { previous in max(previous, score.value) }
  /// ```
  ///
  /// The previous result is the last one that was kept: values that came between two computations are not seen, since nothing is
  /// computed while the value is neither read nor observed. In a transaction that has written a dependency, it is the result from
  /// before the transaction.
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - first: What the first computation gets.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the value, and reads the values that it depends on.
  @_alwaysEmitIntoClient
  public convenience init(
    _ label: String? = nil, previous first: Value, maximumDepth: Int? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ compute: @escaping @Sendable (_ previous: Value) -> Value
  ) {
    self.init(
      cell: Cell(knownComparison(of: Value.self), label: label, maximumDepth: maximumDepth, file: file, line: line) {
        compute($0?.assumingMemoryBound(to: Value.self).pointee ?? first)
      })
  }

  /// Makes a derived value of a closure that may throw: an error is memoized like a value, with its dependencies.
  ///
  /// ```swift
  /// let setup = Derived { () throws(SetupError) in try parse(text.value) }   // Derived<Result<Setup, SetupError>>
  /// ```
  ///
  /// - Parameters:
  ///   - label: The name in reports and in ``diagnostics``.
  ///   - maximumDepth: The causal depth of handlers beyond which a change counts as a cycle and is rejected with a report.
  ///     10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Filled in by the compiler.
  ///   - line: The line there.
  ///   - compute: Returns the success, or throws the failure.
  @_disfavoredOverload
  public convenience init<Success: Sendable, Failure: Error>(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () throws(Failure) -> Success
  ) where Value == Result<Success, Failure> {
    self.init(label, maximumDepth: maximumDepth, file: file, line: line) { () -> Value in
      do throws(Failure) { return .success(try compute()) } catch { return .failure(error) }
    }
  }

  /// For what follows sources without a closure of the user's: `combine`, a member.
  @usableFromInline
  init(
    comparing areEqual: @escaping (Value, Value) -> Bool, label: String? = nil, file: StaticString, line: UInt,
    _ compute: @escaping @Sendable () -> Value
  ) {
    cell = Cell(comparing: areEqual, label: label, file: file, line: line, compute)
  }
  deinit { releaseReference(to: cell.node) }

  /// The current value, recomputed if a dependency has changed.
  ///
  /// In the closure of another `Derived`, a read makes this a dependency of that one. In a transaction that has written, it
  /// is the value with those writes, computed for this read alone.
  ///
  /// - Complexity: O(1) if nothing changed; otherwise the cost of what has to be recomputed.
  @_alwaysEmitIntoClient
  public var value: Value { cell.value }

  public func attach(
    _ handler: EventHandler<Change<Value>>, sendingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    cell.attach(handler, sendingInitial: sendingInitial, isolation)
  }
  public var reader: ValueReader<Value> { cell.reader }

  /// Returns when every change that was made before this call has been handled by every handler, on any actor and behind any
  /// operators.
  ///
  /// Changes that are made meanwhile are not waited for. See ``Event/drained()``.
  public func drained() async { await cell.drained() }

  /// A snapshot of this value for people: label, subscriptions, where they were made, and changes that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnostics: Diagnostics { cell.diagnostics }
}

/// Reads values in the closure of a ``Derived`` without making them dependencies.
///
/// ```swift
/// let receipt = Derived { "\(total.value) \(untracked { currency.value })" }
/// ```
///
/// The values are of the same moment as everything else that the closure reads.
///
/// - Parameter body: Reads the values.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws.
public func untracked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try withoutNoting(body) }
