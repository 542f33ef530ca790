import Dispatch
import Foundation
import Tidings
import TidingsTime

/// Loads and saves the entries of a store, and adopts what other processes have written.
///
/// An event says that something has changed. Its handler, which awaits the saving, is behind `sampled(every:)`, which makes one saving of
/// many changes, and the end of the event saves at once.
final class StoreEngine: Sendable {
  private struct State {
    /// The fields that were last found in the storage, or saved there.
    var stored: PersistedFields
    /// The text of which a copy was set aside.
    var setAside: Data?
    var entries: [String: any StoredEntry] = [:]
    /// Nothing is loaded or saved: the stored values are of a newer version, or were not migrated.
    var rejection: PersistenceProblem?
    var saving: Subscription?
    var watch: (any Sendable & AnyObject)?
    /// How long to wait after another failure; nil if the last saving has succeeded.
    var retry: Duration?
    var isRetrying = false
  }
  typealias Migrate = @Sendable (inout PersistedFields, Int) throws -> Void

  private let storage: any PersistentStorage
  private let version: Int
  private let migrate: Migrate
  private let report: @Sendable (PersistenceProblem) -> Void
  /// Files are read and written here: a call may block.
  private let queue = DispatchQueue(label: "TidingsPersistence")
  private let changed = Event<Void>("changes to save")
  private let state: Lock<State>

  init(
    _ storage: some PersistentStorage, _ version: Int, _ migrate: @escaping Migrate,
    _ report: @escaping @Sendable (PersistenceProblem) -> Void
  ) {
    (self.storage, self.version, self.migrate, self.report) = (storage, version, migrate, report)
    state = Lock(State(stored: PersistedFields(version: version)))
  }

  func start(every interval: Duration, _ clock: some Clock<Duration>) {
    precondition(interval > .zero, "a PersistentStore saves after an interval of more than zero")
    // Before the values are loaded: what another process writes from now on is noticed.
    let watch = storage.watch { [weak self] in
      guard let self else { return }
      queue.async { [weak self] in self?.adopt() }
    }
    let saving = changed.sampled(every: interval, clock: clock).observe { [self] _ in
      do {
        try await save()
      } catch {
        retry(after: error, clock)
      }
    }
    state.withLock { ($0.saving, $0.watch) = (saving, watch) }
    // On the queue, as what is adopted: neither overtakes the other.
    queue.sync {
      do {
        let (stored, problem) = try fields(of: try storage.load())
        state.withLock { $0.stored = stored ?? $0.stored }
        if let problem { report(problem) }
      } catch {
        reject(error, or: { .unreadable(setAside: nil, reason: $0) })
      }
    }
  }
  private func retry(after error: any Error, _ clock: some Clock<Duration>) {
    // Nothing is gained by trying again.
    if error is PersistenceProblem { return }
    let (wait, isFirst) = state.withLock { state -> (Duration?, Bool) in
      let (wait, isFirst) = (state.retry ?? .seconds(1), state.retry == nil)
      state.retry = min(wait * 2, .seconds(60))
      if state.isRetrying { return (nil, isFirst) }
      state.isRetrying = true
      return (wait, isFirst)
    }
    if isFirst { report(.notSaved(reason: "\(error)")) }
    guard let wait else { return }
    Task { [weak self] in
      try? await clock.sleep(for: wait)
      self?.state.withLock { $0.isRetrying = false }
      self?.noteChange()
    }
  }
  private func noteChange() { if !changed.isFinished { changed.emit() } }

  /// The value or collection of a key.
  ///
  /// - Parameter make: Makes it with what is stored, or else with its default.
  func source<Source: ValueSource>(
    _ key: String, default initial: () -> Source.Value, _ access: Entry<Source>.Access,
    _ make: (Source.Value) -> Source
  ) -> Source where Source.Value: Codable {
    let (known, text) = state.withLock { ($0.entries[key], $0.rejection == nil ? $0.stored.texts[key] : nil) }
    if let known { return typed(known, key) }
    var stored: Source.Value?
    do {
      stored = try text.map { try JSONDecoder().decode(Source.Value.self, from: $0) }
    } catch {
      report(.undecodable(key: key, setAside: storage.setAside(), reason: "\(error)"))
    }
    let entry = Entry(key, make(stored ?? initial()), access, storedAs: text)
    // Another thread may have asked for the same key meanwhile.
    let first = state.withLock { state in
      if state.entries[key] == nil { state.entries[key] = entry }
      return state.entries[key]!
    }
    if first === entry { entry.follow { [weak self] in self?.noteChange() } }
    return typed(first, key)
  }
  private func typed<Source: ValueSource>(_ entry: any StoredEntry, _ key: String) -> Source
  where Source.Value: Codable {
    guard let entry = entry as? Entry<Source> else {
      preconditionFailure("the key '\(key)' of a PersistentStore has a value of another type than \(Source.self)")
    }
    return entry.source
  }

  // MARK: Saving

  func save() async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.synchronize(saving: true) }) }
    }
    state.withLock { $0.retry = nil }
  }
  func finish() {
    let entries = state.withLock { $0.entries.values.map { $0 } }
    for entry in entries { entry.stopFollowing() }
    changed.finish()
  }
  func close() async {
    finish()
    await changed.drained()
    do {
      try await save()
    } catch {
      // One that is tried again was reported.
      if state.withLock({ $0.retry == nil && $0.rejection == nil }) { report(.notSaved(reason: "\(error)")) }
    }
    let watch = state.withLock { state in
      defer { state.watch = nil }
      return state.watch
    }
    withExtendedLifetime(watch) {}
  }

  /// On the queue: takes over what another process has written.
  private func adopt() {
    do { try synchronize(saving: false) } catch { reject(error, or: { .unreadable(setAside: nil, reason: $0) }) }
  }
  /// On the queue: writes what has changed here, and adopts what has changed there. An entry that is made meanwhile begins with what
  /// was known before, so it looks again.
  private func synchronize(saving: Bool) throws {
    while try !synchronizeOnce(saving: saving) {}
  }
  private func synchronizeOnce(saving: Bool) throws -> Bool {
    let (entries, known, rejection) = state.withLock { ($0.entries.values.map { $0 }, $0.stored, $0.rejection) }
    if let rejection { throw rejection }
    // One snapshot: what a transaction sets is saved together.
    let captured = Derived { entries.map { $0.capture() } }.value
    var (texts, problems) = ([Data?](), [PersistenceProblem]())
    for (entry, text) in zip(entries, captured) {
      do {
        texts.append(try text())
      } catch {
        texts.append(nil)
        if saving, entry.hasChanged { problems.append(.notEncodable(key: entry.key, reason: "\(error)")) }
      }
    }
    let failure = problems.first
    var (saved, adopted): ([(any StoredEntry, Data)], [(any StoredEntry, Data)]) = ([], [])
    var stored = known
    try storage.replace { data in
      (saved, adopted) = ([], [])
      // If the storage was emptied or made unreadable, the fields that were known are saved again.
      let (found, problem) = try fields(of: data)
      if let problem { problems.append(problem) }
      var fields = found ?? known
      for (entry, text) in zip(entries, texts) {
        let theirs = fields.texts[entry.key]
        if let text, entry.isChanged(text) {
          if !saving { continue }
          if entry.isChanged(inStorage: theirs), theirs != text { problems.append(.overwritten(key: entry.key)) }
          fields.texts[entry.key] = text
          saved.append((entry, text))
        } else if let theirs, entry.isChanged(inStorage: theirs) {
          adopted.append((entry, theirs))
        }
      }
      stored = fields
      return saved.isEmpty ? nil : try fields.data
    }
    for (entry, text) in saved { entry.didSave(text) }
    problems += adopt(adopted)
    for problem in problems { report(problem) }
    if saving, let failure { throw failure }
    return state.withLock { state in
      state.stored = stored
      return state.entries.count == entries.count
    }
  }
  private func adopt(_ adopted: [(entry: any StoredEntry, text: Data)]) -> [PersistenceProblem] {
    if adopted.isEmpty { return [] }
    var (adoptions, problems): ([any Adoption], [PersistenceProblem]) = ([], [])
    for (entry, text) in adopted {
      do {
        adoptions.append(try entry.adoption(of: text))
      } catch {
        entry.didReject(text)
        problems.append(.undecodable(key: entry.key, setAside: storage.setAside(), reason: "\(error)"))
      }
    }
    // Values that another process has set together appear together.
    transaction { for adoption in adoptions { adoption.set() } }
    for adoption in adoptions { adoption.end() }
    return problems
  }

  /// The stored fields, in the form of this version; nil if there are none, or if they cannot be read, which is reported once.
  private func fields(of data: Data?) throws -> (PersistedFields?, PersistenceProblem?) {
    guard let data, !data.isEmpty else { return (nil, nil) }
    var fields: PersistedFields
    do {
      fields = try PersistedFields(data)
    } catch {
      let isNew = state.withLock { state in
        defer { state.setAside = data }
        return state.setAside != data
      }
      return (nil, isNew ? .unreadable(setAside: storage.setAside(), reason: "\(error)") : nil)
    }
    let old = fields.version
    if old > version { throw PersistenceProblem.newerVersion(old) }
    if old < version {
      do { try migrate(&fields, old) } catch { throw PersistenceProblem.notMigrated(from: old, reason: "\(error)") }
      fields.version = version
    }
    return (fields, nil)
  }
  private func reject(_ error: any Error, or problem: (String) -> PersistenceProblem) {
    guard let rejection = error as? PersistenceProblem else { return report(problem("\(error)")) }
    let isFirst = state.withLock { state in
      defer { state.rejection = rejection }
      return state.rejection == nil
    }
    if isFirst { report(rejection) }
  }
}
