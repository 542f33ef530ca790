import Foundation
import Tidings

/// One value of a store, of any type.
protocol StoredEntry: AnyObject, Sendable {
  var key: String { get }
  /// Whether the value was set since the entry was made.
  var hasChanged: Bool { get }
  /// The value of the moment, to be encoded later. A read of it in a computation is tracked.
  func capture() -> @Sendable () throws -> Data
  /// Whether the value has changed here since it was saved or adopted.
  func isChanged(_ text: Data) -> Bool
  func isChanged(inStorage text: Data?) -> Bool
  func didSave(_ text: Data)
  /// The text does not decode: it is not looked at again.
  func didReject(_ text: Data)
  func adoption(of text: Data) throws -> any Adoption
  func stopFollowing()
}

/// Sets a value to what is stored, unless it has changed here meanwhile.
protocol Adoption {
  /// In a transaction, which may apply it again.
  func set()
  /// After the transaction.
  func end()
}

final class Entry<Source: ValueSource>: StoredEntry where Source.Value: Codable {
  typealias Value = Source.Value
  /// How a source is observed, and how its value is replaced: atomically, by a closure that may run again.
  struct Access: Sendable {
    let observe: @Sendable (Source, _ changed: @escaping @Sendable () -> Void) -> Subscription
    let replace: @Sendable (Source, _ body: @escaping (_ current: Value) -> Value?) -> Void
  }

  let key: String
  let source: Source
  private let access: Access
  private struct State {
    /// The value as this process encodes it, and as it is stored, when both were last the same.
    var own: Data?
    var stored: Data?
    var hasChanged = false
    var following: Subscription?
  }
  private let state: Lock<State>

  init(_ key: String, _ source: Source, _ access: Access, storedAs text: Data?) {
    (self.key, self.source, self.access) = (key, source, access)
    state = Lock(State(own: try? PersistedFields.text(of: source.value), stored: text))
  }
  func follow(_ changed: @escaping @Sendable () -> Void) {
    let following = access.observe(source) { [weak self] in
      self?.state.withLock { $0.hasChanged = true }
      changed()
    }
    state.withLock { $0.following = following }
  }
  func stopFollowing() { state.withLock { $0.following }?.cancel() }

  var hasChanged: Bool { state.withLock { $0.hasChanged } }
  func capture() -> @Sendable () throws -> Data {
    let value = source.value
    return { try PersistedFields.text(of: value) }
  }
  func isChanged(_ text: Data) -> Bool { state.withLock { $0.own != text } }
  func isChanged(inStorage text: Data?) -> Bool { state.withLock { $0.stored != text } }
  func didSave(_ text: Data) { state.withLock { ($0.own, $0.stored) = (text, text) } }
  func didReject(_ text: Data) { state.withLock { $0.stored = text } }

  func adoption(of text: Data) throws -> any Adoption {
    let value = try JSONDecoder().decode(Value.self, from: text)
    let (own, new) = (state.withLock { $0.own }, try PersistedFields.text(of: value))
    return Adopting(entry: self, value: value, own: own, new: new, text: text)
  }

  private struct Adopting: Adoption {
    let entry: Entry
    let value: Value
    let own: Data?
    let new: Data
    let text: Data
    private let isAdopted = Flag()

    init(entry: Entry, value: Value, own: Data?, new: Data, text: Data) {
      (self.entry, self.value, self.own, self.new, self.text) = (entry, value, own, new, text)
    }
    func set() {
      entry.access.replace(entry.source) { current in
        // The last application counts.
        let isUnchanged = (try? PersistedFields.text(of: current)) == own
        isAdopted.value.withLock { $0 = isUnchanged }
        return isUnchanged ? value : nil
      }
    }
    func end() {
      if isAdopted.value.withLock({ $0 }) { entry.state.withLock { ($0.own, $0.stored) = (new, text) } }
    }
  }
  private final class Flag: Sendable { let value = Lock(false) }
}
