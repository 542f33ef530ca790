import Foundation

/// A centre of its own, so that nothing else listens; the payload where Foundation wants it, in `userInfo`.
struct NotificationCenterPeer: Cancelling, Shared, @unchecked Sendable {
  static let name = "NotificationCenter"
  private static let happened = Notification.Name("happened")
  private let center = NotificationCenter()

  func subscribe(_ tally: Tally) -> any NSObjectProtocol {
    center.addObserver(forName: Self.happened, object: nil, queue: nil) { tally.add(Self.payload(of: $0)) }
  }

  func subscribe(_ watch: Watch) -> any NSObjectProtocol {
    center.addObserver(forName: Self.happened, object: nil, queue: nil) { watch.receive(Self.payload(of: $0)) }
  }

  func cancel(_ token: any NSObjectProtocol) { center.removeObserver(token) }

  func emit(_ payloads: Range<Int>) {
    for payload in payloads { center.post(name: Self.happened, object: nil, userInfo: ["payload": payload]) }
  }

  private static func payload(of notification: Notification) -> Int {
    notification.userInfo?["payload"] as? Int ?? 0
  }
}
