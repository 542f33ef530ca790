public import Foundation
public import Tidings

/// Values that are saved: in a file, in `UserDefaults`, or, for tests, in memory.
///
/// ```swift
/// let settings = PersistentStore(file: URL(filePath: "settings.json"))
/// let volume = settings.value("volume", default: 0.5)  // Observed<Double>
///
/// volume.set(0.7)  // in the file within half a second
/// await settings.close()  // at the latest here
/// ```
///
/// Each value is an ``/Tidings/Observed`` like any other: observed, derived from, edited by an interactor, undone by a `History`. The
/// wrapper ``Persisted`` makes it a property. ``collection(_:as:default:file:line:)`` returns an array or a dictionary that notifies of its
/// edits.
///
/// **Loading.** The file is read, and its folder made, when the store is made. A value begins with what is stored under its key, or else with its default,
/// which is not written before it changes.
///
/// **Saving.** A change is saved within `interval`, together with all others of that time. What a transaction has set is in the file
/// together. The file is replaced and never written in place, so a process that is killed leaves the old or the new one. ``save()``
/// and ``close()`` return when everything that was set before is in the file, and on the disk.
///
/// **Other processes.** The store sees what another process writes into the file, and sets its values to that. Each process writes
/// only the values that it has changed. If two change the same value, the one that saves last wins, and reports it.
///
/// **Problems** are passed to `onProblem`; none stops the program. A file that cannot be read is set aside under another name.
///
/// **Lifetime.** A store that is deinitialized saves what has changed, in a task: a program that is about to end calls ``close()``.
/// The store retains its values, and they do not retain the store.
public final class PersistentStore: Sendable {
  let engine: StoreEngine

  /// Makes a store of a file in the form of JSON.
  ///
  /// - Parameters:
  ///   - file: The file. It is made with the first value that is saved.
  ///   - version: The version of the values that this program writes.
  ///   - interval: How long a change may wait to be saved.
  ///   - clock: The clock that measures the interval.
  ///   - onProblem: Called with each problem, from any thread. Unless given, it prints the problem on standard error.
  public convenience init(
    file: URL, version: Int = 1, interval: Duration = .milliseconds(500),
    clock: some Clock<Duration> = ContinuousClock(),
    onProblem: @escaping @Sendable (PersistenceProblem) -> Void = PersistenceProblem.printToStandardError
  ) {
    self.init(FileStorage(file), version: version, interval: interval, clock: clock, onProblem: onProblem)
  }

  /// Makes a store of a file, which a program of an older version may have written.
  ///
  /// ```swift
  /// let store = PersistentStore(file: file, version: 2) { fields, version in
  ///   if version < 2 { fields.rename("vol", to: "volume") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - version: The version of the values that this program writes.
  ///   - interval: How long a change may wait to be saved.
  ///   - clock: The clock that measures the interval.
  ///   - onProblem: Called with each problem, from any thread. Unless given, it prints the problem on standard error.
  ///   - migrate: Called with the fields of an older version, before any value is read: see ``PersistedFields``.
  public convenience init(
    file: URL, version: Int, interval: Duration = .milliseconds(500), clock: some Clock<Duration> = ContinuousClock(),
    onProblem: @escaping @Sendable (PersistenceProblem) -> Void = PersistenceProblem.printToStandardError,
    migrate: @escaping @Sendable (_ fields: inout PersistedFields, _ version: Int) throws -> Void
  ) {
    self.init(
      FileStorage(file), version: version, interval: interval, clock: clock, onProblem: onProblem, migrate: migrate)
  }

  /// Makes a store of any storage: ``MemoryStorage`` for tests, ``UserDefaultsStorage``, or one of your own.
  ///
  /// - Parameters:
  ///   - storage: The place where the values are kept.
  ///   - version: The version of the values that this program writes.
  ///   - interval: How long a change may wait to be saved.
  ///   - clock: The clock that measures the interval.
  ///   - onProblem: Called with each problem, from any thread.
  public convenience init(
    _ storage: some PersistentStorage, version: Int = 1, interval: Duration = .milliseconds(500),
    clock: some Clock<Duration> = ContinuousClock(),
    onProblem: @escaping @Sendable (PersistenceProblem) -> Void = PersistenceProblem.printToStandardError
  ) {
    self.init(
      storage, version: version, interval: interval, clock: clock, onProblem: onProblem, migrate: { _, _ in })
  }

  /// Makes a store of any storage, which a program of an older version may have written.
  ///
  /// - Parameters:
  ///   - storage: The place where the values are kept.
  ///   - version: The version of the values that this program writes.
  ///   - interval: How long a change may wait to be saved.
  ///   - clock: The clock that measures the interval.
  ///   - onProblem: Called with each problem, from any thread.
  ///   - migrate: Called with the fields of an older version, before any value is read.
  public init(
    _ storage: some PersistentStorage, version: Int, interval: Duration = .milliseconds(500),
    clock: some Clock<Duration> = ContinuousClock(),
    onProblem: @escaping @Sendable (PersistenceProblem) -> Void = PersistenceProblem.printToStandardError,
    migrate: @escaping @Sendable (_ fields: inout PersistedFields, _ version: Int) throws -> Void
  ) {
    engine = StoreEngine(storage, version, migrate, onProblem)
    engine.start(every: interval, clock)
  }
  deinit { engine.finish() }

  /// The value of a key. A second call with the same key returns the same object.
  ///
  /// ```swift
  /// let volume = settings.value("volume", default: 0.5)
  /// let window = settings.value("window", default: Window())
  /// ```
  ///
  /// Stored text that does not decode as a `Value` is reported and set aside; the value then begins with its default.
  ///
  /// - Parameters:
  ///   - key: The name in the file. One key has one type of value, or this stops the program.
  ///   - initial: The value if none is stored.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The value, which is saved when it changes.
  public func value<Value: Codable & Sendable>(
    _ key: String, default initial: @autoclosure () -> Value, file: StaticString = #fileID, line: UInt = #line
  ) -> Observed<Value> {
    let access = Entry<Observed<Value>>.Access(
      observe: { value, changed in value.observe { _ in changed() } },
      replace: { value, body in value.update { current in if let new = body(current) { current = new } } })
    return engine.source(key, default: initial, access) { Observed($0, label: key, file: file, line: line) }
  }

  /// The array or dictionary of a key, whose elements are saved together.
  ///
  /// ```swift
  /// let positions = store.collection("positions", as: ObservedArray.self, default: Position.examples)
  /// ```
  ///
  /// It is an `ObservedArray` or `ObservedDictionary` like any other, loaded, saved and migrated as a value is. When another process
  /// has saved other elements, it becomes equal to these by edits, so that a list in view need not reload. An element of an array is
  /// found again by its `id` if it is `Identifiable`, otherwise by itself if it is `Hashable`.
  ///
  /// - Parameters:
  ///   - key: The name in the file. One key has one type of value, or this stops the program.
  ///   - type: The type of the collection: `ObservedArray.self`, `ObservedDictionary.self`. The keys of a dictionary are strings,
  ///     integers, or `CodingKeyRepresentable`: the order of others in JSON is arbitrary, so they would be saved again and again.
  ///   - initial: The elements if none are stored.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  /// - Returns: The collection, which is saved when it changes. A second call with the same key returns the same object.
  /// - Complexity: An edit costs what it costs in any collection; a saving O(*n*) in the number of elements.
  public func collection<Source: ReplaceableSource>(
    _ key: String, as type: Source.Type = Source.self, default initial: @autoclosure () -> Source.Value,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Source where Source.Value: Codable {
    let access = Entry<Source>.Access(
      observe: { collection, changed in collection.observeEdits(changed) },
      replace: { collection, body in collection.replaceContents(isolation: nil, body) })
    return engine.source(key, default: initial, access) {
      Source($0, label: key, maximumDepth: nil, file: file, line: line)
    }
  }

  /// Saves what has changed, now.
  ///
  /// - Throws: What kept it from being saved: a `PersistenceProblem`, or an error of the storage, after which it is tried again.
  public func save() async throws { try await engine.save() }

  /// Saves what has changed, and ends: what is set later is not saved.
  ///
  /// Call it before the program ends, or when it is about to be suspended. What cannot be saved is reported.
  public func close() async { await engine.close() }
}
