/// A value that is computed from others, and tells when it changes.
///
/// ```swift
/// let total = Derived { Double(quantity.value) * price.value }
/// print(total.value)
/// let subscription = total.observe { change in print(change.new) }
/// ```
///
/// What the closure reads are its dependencies, found anew at each computation: a branch that is not taken is none, and
/// what is read first protects what is read behind it. The closure only reads. It may run on any thread and more than
/// once, and gives the same value for the same reads; to set or to emit in it is refused with a report.
/// Reads that it leaves to another thread or task are not found, and neither are those of an `@Observable` model.
///
/// Computed when somebody looks: a read, or a handler from the moment it is added. Then it is kept, and computed again
/// only when something that it read has become another value, at most once a change. It never shows a mix: all that a
/// closure reads, through other derived values too, is of one moment, whatever other threads write meanwhile. Threads
/// that read at the same moment may each compute; one result is kept. While a closure runs, the values that it may yet
/// read are kept for it, though others replace them; every other value goes when it is replaced.
///
/// An `Equatable` value is told when it differs, any other whenever it was computed. Handlers hear an unbroken chain. They
/// are called after the handlers of all sources that changed, also of those that handlers have set meanwhile. It lives as long as somebody keeps it, has a handler of it or derives from
/// it; it keeps what its closure captured.
///
/// A closure that reads a value which must itself be computed waits for that in the middle of its computation. So a
/// chain in which each closure finds, while it runs, that it needs the one before computes through the stack: on the
/// smallest stack in wide use (512 KB) 500 links are safe, in a debug build 150. It happens on a first read, and where
/// something that each closure reads *before* its neighbour has changed (`flag.value ? 0 : previous.value + 1`), for
/// what is read first decides whether the rest is needed. A chain whose links read their neighbour first
/// (`previous.value + offset.value`), or that is read from its beginning, is brought up to date without recursion,
/// however long. A recursion that comes near the end of its thread's stack stops the program with a message that names
/// the values.
@dynamicMemberLookup
public final class Derived<Value: Sendable>: ValueSource {
  @usableFromInline let cell: Cell<Value>

  /// - Parameters:
  ///   - label: What reports and ``diagnosis`` call it.
  ///   - maximumDepth: How deep handlers may cause each other before it counts as a circle and is refused with a
  ///     report. 10,000 unless given.
  ///   - file: Where it is made: its name in reports when it has no label. Left to the compiler.
  ///   - line: The line there.
  ///   - compute: Gives the value. Reads what it depends on.
  @inlinable
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () -> Value
  ) where Value: Equatable {
    cell = Cell(label: label, maximumDepth: maximumDepth, file: file, line: line, compute)
  }

  /// The same for a value whose type is not known here to be `Equatable`. If it is, values are compared; of an existential
  /// (`any Sendable`) every value is another.
  @inlinable @_disfavoredOverload
  public init(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () -> Value
  ) {
    cell = Cell(anything: label, maximumDepth: maximumDepth, file: file, line: line, compute)
  }

  /// A closure that may throw: what it throws is kept like a value, and so are its dependencies.
  ///
  /// ```swift
  /// let setup = Derived { () throws(SetupError) in try parse(text.value) }   // Derived<Result<Setup, SetupError>>
  /// ```
  @_disfavoredOverload
  public convenience init<Success: Sendable, Failure: Error>(
    _ label: String? = nil, maximumDepth: Int? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ compute: @escaping @Sendable () throws(Failure) -> Success
  ) where Value == Result<Success, Failure> {
    self.init(label, maximumDepth: maximumDepth, file: file, line: line) { () -> Value in
      do throws(Failure) { return .success(try compute()) } catch { return .failure(error) }
    }
  }

  /// For `combine`, whose parts are compared one by one.
  @usableFromInline
  init(
    comparing areEqual: @escaping (Value, Value) -> Bool, file: StaticString, line: UInt,
    _ compute: @escaping @Sendable () -> Value
  ) {
    cell = Cell(comparing: areEqual, file: file, line: line, compute)
  }
  deinit { letGo(cell.node) }

  /// The value now; computed if something it depends on has changed since.
  ///
  /// In the closure of another `Derived`, that one depends on this from now on. In a transaction that has written, the
  /// value with what was written; computed for this read alone.
  ///
  /// - Complexity: O(1) if nothing changed; else what has to be computed.
  @inlinable
  public var value: Value { cell.value }

  public func attach(
    _ handler: EventHandler<Change<Value>>, tellingInitial: Bool, isolation: isolated (any Actor)?
  ) -> Subscription {
    cell.attach(handler, tellingInitial: tellingInitial, isolation)
  }
  public var reader: ValueReader<Value> { cell.reader }

  /// What this value looks like now: label, subscriptions and where they were made, changes that wait.
  ///
  /// - Complexity: O(*n*) in the number of handlers.
  public var diagnosis: Diagnosis { cell.diagnosis }
}

/// Reads values in the closure of a ``Derived`` without depending on them.
///
/// ```swift
/// let receipt = Derived { "\(total.value) \(untracked { currency.value })" }
/// ```
///
/// They are of the same moment as everything else that the closure reads.
public func untracked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R { try withoutNoting(body) }
