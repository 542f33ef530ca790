import Foundation

/// A reason why a ``PersistentStore`` could not load or save a value.
public enum PersistenceProblem: Error, Sendable, CustomStringConvertible {
  /// The stored text is not what a store writes. It was set aside, and the store begins empty.
  case unreadable(setAside: String?, reason: String)
  /// The text under a key does not decode as the type of its value. A copy was set aside, and the value has its default.
  case undecodable(key: String, setAside: String?, reason: String)
  /// A newer version of the program has written the values. They are left as they are: nothing is loaded or saved.
  case newerVersion(Int)
  /// The migration of an older version has thrown an error. The values are left as they are: nothing is loaded or saved.
  case notMigrated(from: Int, reason: String)
  /// A value cannot be encoded: a number that is not finite, for example. The others were saved.
  case notEncodable(key: String, reason: String)
  /// It could not be saved, for example because the disk is full. It is tried again.
  case notSaved(reason: String)
  /// Another process has changed the same value since this one has read it, and this one has replaced that.
  case overwritten(key: String)

  /// The problem as a sentence.
  public var description: String {
    func place(_ name: String?) -> String { name.map { "; what was there is now in \($0)" } ?? "" }
    return switch self {
    case .unreadable(let name, let reason): "the stored values cannot be read (\(reason))\(place(name))"
    case .undecodable(let key, let name, let reason):
      "the stored value '\(key)' does not decode (\(reason))\(place(name))"
    case .newerVersion(let version):
      "the values were stored by a newer version of the program, \(version): nothing is loaded or saved"
    case .notMigrated(let version, let reason):
      "the stored values of version \(version) were not migrated (\(reason)): nothing is loaded or saved"
    case .notEncodable(let key, let reason): "the value of '\(key)' cannot be encoded (\(reason)) and was not saved"
    case .notSaved(let reason): "not saved: \(reason). It will be tried again"
    case .overwritten(let key): "another process has changed '\(key)' too: its value was replaced"
    }
  }

  /// Prints a problem on standard error.
  ///
  /// - Parameter problem: The problem.
  @Sendable public static func printToStandardError(_ problem: PersistenceProblem) {
    FileHandle.standardError.write(Data("Tidings: \(problem)\n".utf8))
  }
}
