import Foundation
public import TidingsRemote
import TidingsTesting

/// The transport that checks are run on.
///
/// ```swift
/// let broker = MemoryBroker()
/// let transport = TransportUnderTest { MemoryTransport.memory(broker) }
/// try await check(transport)
/// ```
public struct TransportUnderTest: Sendable {
  private let make: @Sendable () async throws -> any RemoteTransport
  /// Nil if what is stored is never removed.
  let prune: (@Sendable (_ count: Int, _ subject: String) async throws -> Void)?

  /// - Parameters:
  ///   - prune: Removes all stored messages of a subject but the given number of the newest, as retention does. Without it the
  ///     check of retention proves nothing.
  ///   - make: Gives a new transport to the same broker or file each time, as another process would have.
  public init(
    pruning prune: (@Sendable (_ count: Int, _ subject: String) async throws -> Void)? = nil,
    _ make: @escaping @Sendable () async throws -> any RemoteTransport
  ) {
    (self.make, self.prune) = (make, prune)
  }

  /// A transport that is open.
  func connect() async throws -> any RemoteTransport {
    let transport = try await make()
    transport.open { _ in }
    return transport
  }

  /// Two relays, as two processes have.
  func relays() async throws -> (Relay, Relay) {
    let namespace = Self.unique("relay")
    return (
      Relay(try await make(), name: "first", namespace: namespace),
      Relay(try await make(), name: "second", namespace: namespace)
    )
  }

  /// A subject, key or consumer that no other check uses.
  static func unique(_ word: String) -> String { "kit.\(word).\(UInt32.random(in: 0 ... .max))" }

  static func message(_ subject: String, _ number: Int, id: String? = nil) -> RemoteMessage {
    RemoteMessage(
      subject: subject, id: id ?? "id-\(number)", origin: "kit/1", number: UInt64(number), hops: number % 3,
      schema: "Int", version: 1, body: Data("\(number)".utf8))
  }
}

/// A departure of a transport from what its protocol requires.
public struct TransportViolation: Error, CustomStringConvertible {
  public let description: String
}

func require(_ condition: Bool, _ violation: @autoclosure () -> String) throws {
  if !condition { throw TransportViolation(description: violation()) }
}

/// Takes batches as a relay does.
final class Receiver: Sendable {
  private let recorder = Recorder<RemoteMessage>()
  /// The marks: after how many messages each came, and how many messages it stands for.
  let gaps = Recorder<(after: Int, count: Int?)>()
  private let demand: TransportDemand
  init(_ demand: TransportDemand = .more) { self.demand = demand }
  var receive: @Sendable ([RemoteMessage]) -> TransportDemand {
    { [recorder, demand] messages in
      for message in messages { recorder(message) }
      return demand
    }
  }
  var miss: @Sendable (Int?) -> Void { { [self] count in gaps((recorder.values.count, count)) } }
  var count: Int { recorder.values.count }
  /// How many messages the marks stand for.
  var missed: Int { gaps.values.reduce(0) { $0 + ($1.count ?? 0) } }
  /// The body of the newest message.
  var last: String? { recorder.values.last.map { String(decoding: $0.body, as: UTF8.self) } }
  func messages(atLeast count: Int) async -> [RemoteMessage] { await recorder.values(atLeast: count) }
  func bodies(atLeast count: Int) async -> [String] {
    await messages(atLeast: count).map { String(decoding: $0.body, as: UTF8.self) }
  }
}
