// The declarations of Dispatch that the package uses; nothing of it runs.
public struct DispatchQoS {
  public enum QoSClass { case background, utility, `default`, userInitiated, userInteractive }
}
open class DispatchQueue: @unchecked Sendable {
  public class var main: DispatchQueue { DispatchQueue() }
  public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { DispatchQueue() }
  public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}
