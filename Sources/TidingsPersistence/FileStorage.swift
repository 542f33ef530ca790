public import Foundation
import Tidings

/// A storage in a file, which several processes may have open.
///
/// The file is replaced by another one and never written in place. While a process replaces it, it holds a lock on a file beside it,
/// with `.lock` behind the name; the system releases the lock of a process that ends.
public final class FileStorage: PersistentStorage {
  private let file: URL
  private let isFirst = Lock(true)

  /// Makes a storage.
  ///
  /// - Parameter file: The file, which is made with the first value that is saved, or a link to it.
  public init(_ file: URL) { self.file = file.absoluteURL.resolvingSymlinksInPath() }

  public func load() throws -> Data? {
    do {
      return try Data(contentsOf: file)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    }
  }

  public func replace(_ change: (Data?) throws -> Data?) throws {
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let lock = try FileLock(file.appendingPathExtension("lock").path)
    defer { lock.unlock() }
    if isFirst.withLock({ isFirst in
      defer { isFirst = false }
      return isFirst
    }) {
      // No process writes one while this one has the lock: these are of processes that were killed.
      AtomicFile.removeTemporary(of: file)
    }
    if let new = try change(try load()) { try AtomicFile.write(new, to: file.path) }
  }

  public func setAside() -> String? {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withFullDate, .withTime]
    let copy = file.appendingPathExtension("unreadable-\(formatter.string(from: Date()))")
    do {
      // A copy of the same second is the same.
      if !FileManager.default.fileExists(atPath: copy.path) { try FileManager.default.copyItem(at: file, to: copy) }
      return copy.path
    } catch {
      return nil
    }
  }

  public func watch(_ changed: @escaping @Sendable () -> Void) -> (any Sendable & AnyObject)? {
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    return FileWatch(file, changed)
  }
}
