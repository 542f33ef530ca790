import Foundation

/// A folder that is removed with the test.
public final class Folder: Sendable {
  public let path: String
  public init() throws {
    path = "/tmp/tidings-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A folder in it.
  public func make(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    return "\(path)/\(name)"
  }
}
