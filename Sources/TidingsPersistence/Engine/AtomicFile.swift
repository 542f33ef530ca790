import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes a file so that a process that is killed, or a machine that loses its power, leaves the old or the new one.
enum AtomicFile {
  static func write(_ data: Data, to path: String) throws {
    // A name of its own: a process that was killed may have left one.
    let temporary = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max)).tmp"
    var mode: mode_t = 0o600
    var status = stat()
    if stat(path, &status) == 0 { mode = status.st_mode & 0o777 }
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw POSIXError.last() }
    do {
      try data.withUnsafeBytes { bytes in
        var written = 0
        while written < bytes.count {
          let count = Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { throw POSIXError.last() }
          written += count
        }
      }
      // The mode of `open` is cut by that of the process.
      fchmod(descriptor, mode)
      guard synchronize(descriptor) == 0 else { throw POSIXError.last() }
      guard rename(temporary, path) == 0 else { throw POSIXError.last() }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    close(descriptor)
    // The new name as well is to be on the disk.
    let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      _ = synchronize(folder)
      close(folder)
    }
  }

  /// Returns when what was written is on the disk.
  private static func synchronize(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    // `fsync` leaves it in the drive's memory there.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    #endif
    return fsync(descriptor)
  }

  /// Removes what killed processes have left.
  static func removeTemporary(of file: URL) {
    let folder = file.deletingLastPathComponent()
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where name.hasPrefix(file.lastPathComponent + ".") && name.hasSuffix(".tmp") {
      unlink(folder.appending(path: name).path)
    }
  }
}

/// A lock among processes, and among the descriptors of one process.
struct FileLock {
  private let descriptor: Int32

  /// Waits until no other process has it.
  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError.last() }
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else {
        close(descriptor)
        throw POSIXError.last()
      }
    }
  }
  func unlock() { close(descriptor) }
}

extension POSIXError {
  static func last() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
