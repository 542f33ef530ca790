public import Foundation
import Tidings

/// The place where a ``PersistentStore`` keeps its values: some data, as a whole.
///
/// A storage of your own is called on one thread at a time, except ``watch(_:)``.
public protocol PersistentStorage: Sendable {
  /// Reads what is stored.
  ///
  /// - Returns: The data; nil if nothing is stored yet.
  /// - Throws: Why it cannot be read.
  func load() throws -> Data?

  /// Replaces what is stored, as one step: another process finds what was there before or what is there afterwards, and replaces
  /// nothing meanwhile.
  ///
  /// - Parameter change: Called with what is stored, and again if that is replaced meanwhile. Returns what is to be stored instead, or nil to leave it.
  /// - Throws: Why it cannot be stored, or what `change` throws.
  func replace(_ change: (Data?) throws -> Data?) throws

  /// Keeps a copy of what is stored, for a person to look at.
  ///
  /// - Returns: The name of the copy; nil if there is none.
  func setAside() -> String?

  /// Calls a closure when another process may have replaced what is stored.
  ///
  /// - Parameter changed: Called on any thread.
  /// - Returns: An object that is retained as long as the store wants to know.
  func watch(_ changed: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)?
}

/// A storage in memory, for tests. Several stores may have the same one, as processes have the same file.
///
/// ```swift
/// let storage = MemoryStorage()
/// let store = PersistentStore(storage)
/// ```
public final class MemoryStorage: PersistentStorage {
  private let data: Lock<Data?>
  private let replaced = Event<Void>()

  /// Makes a storage.
  ///
  /// - Parameter text: What is stored.
  public init(_ text: String? = nil) { data = Lock(text.map { Data($0.utf8) }) }

  /// The stored text. Setting it is what another process would do.
  public var text: String? {
    get { data.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) } }
    set {
      data.withLock { $0 = newValue.map { Data($0.utf8) } }
      replaced.emit()
    }
  }

  public func load() throws -> Data? { data.withLock { $0 } }
  public func replace(_ change: (Data?) throws -> Data?) throws {
    while true {
      let old = try load()
      guard let new = try change(old) else { return }
      let isReplaced = data.withLock { data in
        if data != old { return false }
        data = new
        return true
      }
      if isReplaced { return replaced.emit() }
    }
  }
  public func setAside() -> String? { nil }
  public func watch(_ changed: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? {
    replaced.observe { _ in changed() }
  }
}

/// A storage in `UserDefaults`, as text under one key.
///
/// The stores of one process replace it one after the other. `UserDefaults` has no such order between processes: for those, use a file.
///
/// ```swift
/// let settings = PersistentStore(UserDefaultsStorage())
/// ```
public final class UserDefaultsStorage: PersistentStorage {
  private static let replacing = Lock(())
  private let suite: String?
  private let key: String
  // Not `Sendable` everywhere, and cheap to ask for.
  private var defaults: UserDefaults { suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard }

  /// Makes a storage.
  ///
  /// - Parameters:
  ///   - suite: The name of the defaults; nil for the standard ones.
  ///   - key: The key under which all values of the store are kept.
  public init(suite: String? = nil, key: String = "TidingsPersistence") { (self.suite, self.key) = (suite, key) }

  public func load() throws -> Data? { defaults.string(forKey: key).map { Data($0.utf8) } }
  public func replace(_ change: (Data?) throws -> Data?) throws {
    while true {
      let old = defaults.string(forKey: key)
      guard let new = try change(old.map { Data($0.utf8) }) else { return }
      let isReplaced = Self.replacing.withLock { _ in
        if defaults.string(forKey: key) != old { return false }
        defaults.set(String(decoding: new, as: UTF8.self), forKey: key)
        return true
      }
      if isReplaced { return }
    }
  }
  public func setAside() -> String? {
    guard let text = defaults.string(forKey: key) else { return nil }
    defaults.set(text, forKey: key + ".unreadable")
    return key + ".unreadable"
  }
  public func watch(_ changed: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? {
    Observation(
      NotificationCenter.default.addObserver(
        forName: UserDefaults.didChangeNotification, object: nil, queue: nil, using: { _ in changed() }))
  }
}
