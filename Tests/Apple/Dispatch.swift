// The declarations of Dispatch that the package uses; nothing of it runs.
public struct DispatchQoS {
  public enum QoSClass { case background, utility, `default`, userInitiated, userInteractive }
}
open class DispatchQueue: @unchecked Sendable {
  public class var main: DispatchQueue { DispatchQueue(label: "") }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { DispatchQueue(label: "") }
  public init(label: String) {}
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
  public func sync<Result>(execute work: () throws -> Result) rethrows -> Result { try work() }
}
public protocol DispatchSourceProtocol: AnyObject {
  typealias DispatchSourceHandler = @convention(block) () -> Void
  func activate()
  func cancel()
}
extension DispatchSourceProtocol {
  public func setEventHandler(handler: DispatchSourceHandler?) {}
  public func setCancelHandler(handler: DispatchSourceHandler?) {}
}
public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {}
public enum DispatchSource {
  public struct FileSystemEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let write = FileSystemEvent(rawValue: 2)
  }
  public static func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: FileSystemEvent
  ) -> any DispatchSourceFileSystemObject { fatalError() }
}
