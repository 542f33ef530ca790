public import Foundation
public import Tidings

extension EventSource {
  /// Posts a notification at every value, for as long as the subscription is kept.
  ///
  /// ```swift
  /// let posting = saved.post(to: .default, as: .documentSaved) { path in ["path": path] }
  /// ```
  ///
  /// Posted on the thread that delivers, in the order of the values.
  ///
  /// - Parameters:
  ///   - center: Where to post.
  ///   - name: The notifications' name.
  ///   - object: Their sender, held weakly: when it is deinitialized, nothing is posted any more.
  ///   - file: Where it is made. Filled in by the compiler.
  ///   - line: The line there.
  ///   - userInfo: What they carry.
  public func post(
    to center: NotificationCenter, as name: Notification.Name, object: (any AnyObject & Sendable)? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    userInfo: @escaping @Sendable (Payload) -> [AnyHashable: Any]? = { _ in nil }
  ) -> Subscription {
    let isBound = object != nil
    let post: @Sendable (Payload) -> Void = { [weak object] payload in
      if isBound, object == nil { return }
      center.post(name: name, object: object, userInfo: userInfo(payload))
    }
    return observe(post, file: file, line: line)
  }
}
